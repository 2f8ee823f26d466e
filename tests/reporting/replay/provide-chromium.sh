#!/bin/sh
# Sees to it that there is a Chromium for the tests of the replay page. Installs nothing unless it is root on a
# system with apt; never fails, since the tests say themselves what they miss.

for name in "${FAIRDEAL_CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo 'installing Chromium, to test the replay page in it'
    export DEBIAN_FRONTEND=noninteractive
    if apt-get -qq update && apt-get -qq -y --no-install-recommends install chromium >/dev/null; then
        exit 0
    fi
fi

echo 'NO CHROMIUM, AND NONE COULD BE INSTALLED: the replay page will not be tested.' >&2
echo 'Install it (Debian: apt-get install chromium), or name one in FAIRDEAL_CHROMIUM.' >&2
