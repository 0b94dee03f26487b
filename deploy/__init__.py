"""How it is run: on one machine (`up`), behind nginx (`edge`), in containers, by Ray's launcher, on Kubernetes.

Decisions:
- `up` knows roles of a machine, so that compose, KubeRay and an operator by hand start the same thing; KubeRay's own
  command comes in by KUBERAY_GEN_RAY_START_CMD.
- One Containerfile, three targets over one Python layer; our code is the last layer. Debian's package versions are
  those of its release: a base named by digest and the lock file's hashes pin the rest.
- Workers in compose are in the host's network: Ray's nodes speak to each other on many ports. Redis is reached at the
  first machine's address with a password, on a network of the operator's own.
- The edge holds no secret, so it runs with PAPERCRANE_ENV=development, which changes nothing that it writes.
- A store of one's own stands behind the edge under its own host name, for what is signed is that name.
- The sandbox's seccomp profile forbids by name and allows the rest: inside stands bubblewrap, which is what holds.
- Kubernetes' workers run in user namespaces of their own (`hostUsers: false`), the only way to an unmasked /proc there.
"""
