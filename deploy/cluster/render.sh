#!/bin/sh
# Replaces each ${NAME} in files by its environment variable, and writes them into a folder, readable by their owner only:
#   set -a; . ./cluster.env; set +a
#   ./render.sh /etc/ballotgraph patroni.yml pgbouncer.ini
# Needs envsubst (Debian: gettext-base).
set -eu
folder=$1
shift
cd "$(dirname "$0")"
umask 077
for file; do
  for name in $(grep -o '\${[A-Z0-9_]*}' "$file" | sort -u | tr -d '${}'); do
    eval "value=\${$name:-}"
    [ -n "$value" ] || { echo "$file needs the variable $name" >&2; exit 1; }
  done
  envsubst "$(grep -o '\${[A-Z0-9_]*}' "$file" | sort -u | tr '\n' ' ')" <"$file" >"$folder/$file"
done
