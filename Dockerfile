# syntax=docker/dockerfile:1
# Every command of the package in a container; without arguments, the reference server. Recipe: docs/operations.md.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache /var/cache/npm
COPY . .
# What the image gets is what npm publishes, with its run-time dependencies.
RUN npm pack && mkdir /app && tar -xzf notifications-contract-*.tgz -C /app --strip-components=1 \
  && npm prune --omit=dev && mv node_modules /app

FROM node:24-slim
LABEL org.opencontainers.image.title="notifications-contract" \
  org.opencontainers.image.description="Mock and reference server for subscriber preferences and notification listing. Unofficial; for development and tests." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/node:24-slim"
COPY --from=build /app /app
RUN mkdir /data && chown node /data
USER node
# A container's own loopback is reachable by nobody: it listens on all addresses, which requires both keys. The control key is
# set, and empty, so that a start without it fails rather than leaving the control plane unreachable.
ENV NC_HOST=0.0.0.0 NC_DATA=/data NC_CONTROL_KEY=
VOLUME /data
EXPOSE 4010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.NC_PORT ?? 4010}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve"]
