FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
# Native packages bring their binaries along: no install script has to run, and no compiler is needed.
RUN npm ci --ignore-scripts
COPY migrations migrations
COPY src src
RUN node src/build/bundle.ts && node src/build/image.ts image

FROM node:24-slim
LABEL org.opencontainers.image.title="Paxlog" \
      org.opencontainers.image.description="A self-hosted flight log: one process, one SQLite file" \
      org.opencontainers.image.licenses="MIT"
# The server needs Node and nothing else: package managers are of use to intruders only.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && ln -s /app/dist/cli.js /usr/local/bin/paxlog \
    # Any uid may be chosen with --user, and a new volume takes over these rights; nobody else is in the container.
    && mkdir -m 0777 /data
WORKDIR /app
# Only what src/build/image.ts has laid out: no sources, source maps, compilers' files or binaries for other systems.
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
