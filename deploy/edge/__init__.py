"""The edge: nginx before the API, with the built site on its own disk.

    python -m deploy.edge FOLDER --api 127.0.0.1:8000       lay the build out below FOLDER, write FOLDER/nginx.conf
    nginx -c FOLDER/nginx.conf                              then `nginx -s reload` after each release

Pages and their `_payload.json` never ask the API, so they stay up when it is away; calls, uploads, events and paths
that are no page's pass through, unbuffered. Headers, policies and the host rule are the API's own (`api.site`,
`api.app`), told to nginx by exact location.

    FOLDER/files/…           what pages load, of this build and of those that people may still have open (a week)
    FOLDER/pages-<build>/…   the pages of one build; the configuration names one such folder, so a reload is the switch
    FOLDER/left.json         path below files -> the day when its last build was followed by another
    FOLDER/away-zh.json …    what calls are answered while no API is there

A network before this one (a CDN) keeps pages by `s-maxage`, serves them stale while it asks anew or gets no answer, and
drops what carries an old build's `Cache-Tag`.
"""
