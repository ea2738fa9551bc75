# The image of Frontdesk: Node, compiled code, production dependencies, built-in templates and modules. `npm run image`
# builds it. What the base image is, and where the application comes from, are build arguments.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG HELM_IMAGE=docker.io/alpine/helm:3.19.0
# `compiled` makes the application in the image; `prebuilt` takes it from build/image, where `npm run image -- --prebuilt` made
# it: where containers cannot reach the npm registry.
ARG APP=compiled

FROM ${NODE_IMAGE} AS compiled
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --loglevel=error
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN node_modules/.bin/tsc -p tsconfig.build.json
RUN npm ci --omit=dev --ignore-scripts --loglevel=error
COPY hack/image/slim.mjs hack/image/slim.mjs
RUN node hack/image/slim.mjs node_modules && rm -r src hack tsconfig*.json .npmrc
COPY templates templates
COPY LICENSE ./

FROM ${NODE_IMAGE} AS prebuilt
COPY build/image /app

FROM ${APP} AS app

FROM ${NODE_IMAGE} AS frontdesk
ARG VERSION=0.0.0
ARG COMMIT=unknown
ARG DATE=unknown
LABEL org.opencontainers.image.title="Frontdesk" \
      org.opencontainers.image.description="The front desk of a platform team's Kubernetes cluster" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.created="${DATE}"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data BUILD_COMMIT=${COMMIT} BUILD_DATE=${DATE}
WORKDIR /app
COPY --from=app /app ./
USER 0:0
# The root file system may be read-only; only /data is written to.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 8080
# Node is process 1: it takes the signals itself, and starts children that it waits for itself.
ENTRYPOINT ["node", "--max-semi-space-size=4", "dist/main.js"]

# With the helm program, for modules that are Helm charts: `--target frontdesk-helm`.
FROM ${HELM_IMAGE} AS helm
FROM frontdesk AS frontdesk-helm
COPY --from=helm /usr/bin/helm /usr/local/bin/helm

# What is built unless a target is named.
FROM frontdesk
