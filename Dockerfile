# The service on one machine, as `npm start` runs it. Options of `npm start` follow the image's name: docker run IMAGE --live
ARG NODE_IMAGE=docker.io/library/node:20.19.5-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The portal needs tools that the running service does not: it is built here, and the service finds it.
RUN node --import tsx --input-type=module --eval "const { openBuiltPortal } = await import('./local/portal.ts'); await openBuiltPortal(() => {}, new AbortController().signal);" \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:3000/v1/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "tsx", "bin/serve.ts", "--host", "0.0.0.0", "--data-dir", "/data"]
