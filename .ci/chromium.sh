#!/usr/bin/env bash
# Makes sure that Chromium is installed, from Debian's packages: .ci/chromium.sh
set -uo pipefail

for program in "${TOUCHSTONE_CHROMIUM:-chromium-headless-shell}" chromium chromium-browser google-chrome; do
  if command -v "$program" > /dev/null && "$program" --version; then exit 0; fi
done
if ! command -v apt-get > /dev/null; then
  echo 'skipped: there is neither Chromium nor apt-get to install it; the tests of pages skip'
  exit 77
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'skipped: installing Chromium needs root; the tests of pages skip'
  exit 77
fi
# Without a font, a page has no text to measure.
packages=(chromium-headless-shell fonts-dejavu-core)
if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } > /dev/null; then
  echo 'skipped: apt-get cannot install chromium-headless-shell here; the tests of pages skip'
  exit 77
fi
chromium-headless-shell --version
