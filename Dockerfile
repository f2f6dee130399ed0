# The builder has the release of Debian that the runtime has: the program is linked against its libraries.
FROM swift:6.3-bookworm AS build
WORKDIR /mememe

# What has to be installed is known in one place. Copied alone, so that the layer lasts until it changes.
COPY script/setup script/environment script/
RUN script/setup && rm -rf /var/lib/apt/lists/*

COPY . .
# With Swift's own libraries inside the program, the runtime needs no Swift; without symbols it is a fifth smaller.
RUN swift build --configuration release --product mememe --static-swift-stdlib -Xlinker -s \
    && install -D .build/release/mememe /out/usr/local/bin/mememe

FROM debian:bookworm-slim

# The fonts after the faces of captions draw what those have no letters for: other scripts, and emoji in colour.
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    libmicrohttpd12 libvips42 libturbojpeg0 libpangocairo-1.0-0 libsqlite3-0 libsodium23 libgnutls30 libjansson4 libcurl4 zlib1g libseccomp2 libpq5 libexpat1 libyaml-0-2 ca-certificates \
    libfontconfig1 fontconfig \
    fonts-bebas-neue fonts-comic-neue fonts-gnutypewriter fonts-lobster fonts-open-sans fonts-quicksand fonts-yanone-kaffeesatz \
    fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*

COPY --from=build /out/ /
# The font cache is made here because the server's user cannot write it.
RUN fc-cache --force --system-only \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin mememe \
    && install -d -o mememe -g mememe -m 750 /data

# MALLOC_ARENA_MAX: two heaps instead of eight for each core, so that a picture's memory goes back sooner.
ENV MEMEME_HOST=0.0.0.0 MEMEME_PORT=8080 MEMEME_DATA=/data MALLOC_ARENA_MAX=2
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["mememe", "healthcheck"]
ENTRYPOINT ["mememe"]
CMD ["serve"]
