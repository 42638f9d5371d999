#!/usr/bin/env bash
# Makes sure that nginx is installed, from Debian's packages: .ci/nginx.sh
set -uo pipefail

if command -v nginx > /dev/null || [ -x /usr/sbin/nginx ]; then
  PATH="$PATH:/usr/sbin" nginx -v
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo 'skipped: there is neither nginx nor apt-get to install it; the test of containers/nginx.conf skips'
  exit 77
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'skipped: installing nginx needs root; the test of containers/nginx.conf skips'
  exit 77
fi
if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light; } > /dev/null; then
  echo 'skipped: apt-get cannot install nginx-light here; the test of containers/nginx.conf skips'
  exit 77
fi
PATH="$PATH:/usr/sbin" nginx -v
