#!/bin/sh
# Creates the certificates of etcd, and of Patroni as its client, with an authority of their own:
#   set -a; . ./cluster.env; set +a
#   ./certificates.sh FOLDER
# FOLDER/database1 becomes STATE/certificates of that machine, and so on. FOLDER/ca.key stays with the operator: with it, the script
# creates new ones that the machines accept besides the old ones, before those expire. Needs openssl.
set -eu
folder=$1
days=1825
umask 077
mkdir -p "$folder"
cd "$folder"
new_key() { openssl ecparam -genkey -name prime256v1 -noout -out "$1"; }
[ -e ca.key ] || {
  new_key ca.key
  openssl req -x509 -new -key ca.key -days 3650 -subj '/CN=ballotgraph etcd' -out ca.crt
}
certificate() { # file, name, extensions
  new_key "$1.key"
  openssl req -new -key "$1.key" -subj "/CN=$2" -out "$1.csr"
  printf '%s\n' "$3" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days $days -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}
number=1
for address in "$DATABASE1" "$DATABASE2" "$DATABASE3"; do
  name=database$number
  mkdir -p "$name"
  cp ca.crt "$name"
  # A member is a client of the others. 127.0.0.1 is where it connects from to itself.
  certificate "$name/etcd" "$name" "subjectAltName=IP:$address,IP:127.0.0.1
extendedKeyUsage=serverAuth,clientAuth"
  certificate "$name/patroni" "patroni of $name" 'extendedKeyUsage=clientAuth'
  number=$((number + 1))
done
