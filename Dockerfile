FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
# Native packages include their binaries, so no install scripts or compilers are needed.
RUN npm ci --ignore-scripts
COPY migrations migrations
COPY src src
RUN node src/build/bundle.ts && node src/build/image.ts image

FROM node:24-slim
LABEL org.opencontainers.image.title="Paxlog" \
      org.opencontainers.image.description="A self-hosted flight log: one process, one SQLite file" \
      org.opencontainers.image.licenses="MIT"
# The server needs only Node. Remove the package managers to reduce the attack surface.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && ln -s /app/dist/cli.js /usr/local/bin/paxlog \
    # Writable by any uid chosen with --user. New volumes inherit these permissions.
    && mkdir -m 0777 /data
WORKDIR /app
# Contains no sources, source maps, compiler files or binaries for other platforms; see src/build/image.ts.
COPY --from=build /app/image ./
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
# By default malloc keeps what large bodies and password checks took: uploads would kill a server with 256 MB.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["paxlog", "healthcheck"]
CMD ["node", "dist/main.js"]
