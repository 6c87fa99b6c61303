#!/usr/bin/env bash
# Builds the image with buildah, without a registry, and runs what it promises: the keys that it requires, serve, verify, a read-only
# root, SIGTERM. As root, on Debian: apt-get install -y --no-install-recommends buildah busybox-static. Part of the release checklist.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
buildah() { command buildah --root "$folder/storage" --runroot "$folder/run" "$@"; }
server=
finish() { [ -z "$server" ] || kill "$server" 2>/dev/null || true; buildah rm --all >/dev/null 2>&1 || true; rm -rf "$folder"; }
trap finish EXIT
pass() { echo "ok   $1"; }
fail() { echo "FAIL $1"; exit 1; }

# The base, under the name that the Dockerfile uses: this machine's Node and npm on busybox, with the user that node's images have.
root=$folder/base/rootfs
mkdir -p "$root"/{bin,etc,tmp,root,usr/bin,usr/lib/node_modules,usr/etc,home/node}
chmod 1777 "$root/tmp"
cp /bin/busybox "$root/bin/"
for name in $(busybox --list | grep -vx busybox); do ln -s busybox "$root/bin/$name"; done
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp "$node" "$root/usr/bin/node"
cp -r "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -s /bin/env "$root/usr/bin/env"
{ ldd "$node" | grep -o '/[^ ]*'; dpkg -L libc6 | grep -E '/lib[a-z_]+\.so\.[0-9]+$'; } | sort -u | while read -r library; do mkdir -p "$root$(dirname "$library")"; cp -L "$library" "$root$library"; done
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /usr/etc/npmrc "$(npm config get globalconfig 2>/dev/null)" "$HOME/.npmrc"; do
  [ ! -f "$file" ] || { mkdir -p "$root$(dirname "$file")"; cp -L "$file" "$root$file"; }
done
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
printf 'FROM scratch\nADD rootfs /\nENV PATH=/usr/bin:/bin\n' > "$folder/base/Dockerfile"
buildah build --quiet --tag node:24-slim "$folder/base" >/dev/null
buildah build --quiet --pull=never --format docker ${NODE_EXTRA_CA_CERTS:+--env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt} \
  --tag notifications-contract . >"$folder/build.log" 2>&1 || { tail -60 "$folder/build.log"; fail "the image builds"; }
pass "the image builds"

container=$(buildah from --pull-never notifications-contract)
mount=$(buildah mount "$container")
du -sm "$mount/app" | awk '{ print "     /app is " $1 " MB" }'
in_container() { buildah run --user node "$@"; }
program="node /app/dist/cli.js"

# buildah's `run` leaves out ENTRYPOINT and CMD; their values are what is run here.
[ "$(buildah inspect --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' notifications-contract)" = "[$program] [serve]" ] \
  || fail "the entry point is the program, and its default is serve"
pass "the entry point is the program, and its default is serve"
[ "$(buildah inspect --format '{{.OCIv1.Config.User}}' notifications-contract)" = node ] || fail "it runs as the user node"
pass "it runs as the user node"
refuses() { # title, the variable that the message names, environment
  local title=$1 variable=$2; shift 2
  local output; if output=$(in_container "$@" "$container" -- $program serve --port 0 2>&1); then fail "$title"; fi
  grep -q "$variable" <<<"$output" || { echo "$output"; fail "$title"; }
  pass "$title"
}
refuses "it does not start without an API key" NC_API_KEY --env NC_CONTROL_KEY=control-key-of-the-test
refuses "it does not start without a control key" NC_CONTROL_KEY --env NC_API_KEY=api-key-of-the-test

# A root that nothing can write to, but for the volume: chroot isolation has no --read-only, so the folders belong to root.
find "$mount" -xdev -user 1000 ! -path "$mount/data*" ! -path "$mount/home*" | grep -q . && fail "the user owns the state alone"
pass "the user owns the state alone"
in_container --env NC_API_KEY=api-key-of-the-test --env NC_CONTROL_KEY=control-key-of-the-test "$container" -- \
  $program serve --port 0 >"$folder/out" 2>"$folder/err" & server=$!
for _ in $(seq 600); do grep -q 'http://' "$folder/out" && break; kill -0 $server || { cat "$folder/err"; fail "serve starts"; }; sleep 0.1; done
port=$(grep -o 'http://[^ ]*:[0-9]*' "$folder/out" | head -1 | grep -o '[0-9]*$')
pass "serve starts"
check=$(buildah inspect --format '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' notifications-contract | grep fetch)
in_container --env NC_PORT="$port" "$container" -- node -e "$check" && pass "it is healthy" || fail "it is healthy"
in_container --env NC_CONTROL_KEY=control-key-of-the-test "$container" -- $program verify --url "http://127.0.0.1:$port" >"$folder/verify" 2>&1 \
  || { tail -20 "$folder/verify"; fail "verify passes against it"; }
pass "verify passes against it: $(grep -o '[0-9]* passed.*' "$folder/verify" | tail -1)"
mkdir -m 777 "$folder/reports"
in_reports() { in_container --volume "$folder/reports:/reports" --workingdir /reports --env NC_API_KEY=api-key-of-the-test "$container" -- $program verify "$@"; }
in_reports --url "http://127.0.0.1:$port" --init >"$folder/verify" 2>&1 && in_reports --only D-24 --junit verify.xml >>"$folder/verify" 2>&1 \
  && grep -q 'failures="0"' "$folder/reports/verify.xml" || { tail -20 "$folder/verify"; fail "verify reads the configuration of a mounted folder, and writes its report there"; }
pass "verify reads the configuration of a mounted folder, and writes its report there"
inside=$server # buildah's run is a chain of processes; the last one is the program
while child=$(pgrep -P "$inside" | tail -1); [ -n "$child" ]; do inside=$child; done
kill -TERM "$inside"
wait "$server" && code=0 || code=$?
server=
[ "$code" = 0 ] || { cat "$folder/err"; fail "SIGTERM stops it with 0, not $code"; }
in_container "$container" -- test -s /data/default.json || fail "the state is in /data"
pass "SIGTERM stops it with 0, and the state is in /data"
