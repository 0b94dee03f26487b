"""The calls: thin `routes.py` in each domain, domain modules without Sanic, the S3 subset, SQL, serving the site.

Settings are environment variables; `api.settings` and `cluster.settings` are the only places that read them.

Decisions:
- Who may do what is read from the membership ledger at every request, so rights change at once.
- Plain http away from localhost is not served: browsers refuse the cryptography that signs uploads, and cookies are
  Secure.
- The address that limits count is an IPv6 client's /64.
- Production needs `PAPERCRANE_SECRET`, an https `PAPERCRANE_API_PUBLIC_URL` that the site was built for, and
  somebody to send codes.
- HSTS without `includeSubDomains`: the operator's other hosts are not ours. Connections are counted per address
  only without proxies; with one, the proxy would count.
"""
