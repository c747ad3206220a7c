#!/usr/bin/env bash
# Tries the packages in the folder $1 in a bare Debian 12, as root; `make test-package`. The Debian
# is made by debootstrap, which needs Debian's servers, and is kept in .build/debian for the next
# time. No systemd runs in it: the service itself is only checked by systemd-analyze, where the
# machine has that. No container is built.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly packages=$(realpath "${1:-.build/package}") kept=$PWD/.build/debian
readonly mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
readonly definition=Definitions/Conflicts/application.xml start_timeout_seconds=60
(( EUID == 0 )) || { echo 'packaging: run it as root, as debootstrap needs it' >&2; exit 2; }

fail() {
    printf 'packaging: %s\n' "$1" >&2
    exit 1
}
say() { printf 'packaging: %s\n' "$1"; }

# Mounts of its own, which end with it.
if [[ ${WAGGLE_UNSHARED:-} != yes ]]; then
    WAGGLE_UNSHARED=yes exec unshare --mount --propagation private bash "$0" "$packages"
fi

[[ -e $kept/etc/debian_version ]] || {
    say 'making a bare Debian 12'
    rm -rf "$kept"
    debootstrap --variant=minbase bookworm "$kept" "$mirror" >"$kept.log" ||
        { tail -5 "$kept.log" >&2; fail 'debootstrap failed'; }
}
work=$(mktemp -d)
server=''
clean_up() {
    [[ -z $server ]] || kill -TERM "$server" 2>/dev/null || true
    umount --recursive --lazy "$work/root" 2>/dev/null || true
    umount --lazy "$work/layer" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Changes go to a layer above, which is discarded afterwards.
readonly root=$work/root
mkdir "$root" "$work/layer"
mount -t tmpfs tmpfs "$work/layer"
mkdir "$work/layer/upper" "$work/layer/work"
mount -t overlay overlay "$root" \
    -o "lowerdir=$kept,upperdir=$work/layer/upper,workdir=$work/layer/work" 2>/dev/null || {
    # Where no overlay can be mounted, a copy does.
    cp -a "$kept/." "$work/layer/upper"
    mount --bind "$work/layer/upper" "$root"
}
mount -t proc proc "$root/proc"
for file in /etc/resolv.conf /etc/hosts; do
    [[ ! -e $file ]] || cp "$file" "$root$file"
done
cp -r /etc/apt/apt.conf.d "$root/etc/apt/"

# Runs a command in the Debian, with the variables in `with`, and as the user in `as`.
inside() { (become "$@"); }
become() {
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "${with[@]}" chroot "${as[@]}" "$root" "$@"
}
with=() as=()

version=$(dpkg-deb -f "$packages"/waggle_*.deb Version)
package=$(basename "$packages"/waggle_*.deb)
mkdir "$root/packages"
cp "$packages"/* "$root/packages"
cp $definition "$root/packages/application.xml"

# The same package with another version number.
repack() { # version
    dpkg-deb --raw-extract "$packages/$package" "$work/other"
    sed -i "s/^Version: .*/Version: $1/" "$work/other/DEBIAN/control"
    sed -i "s/^new='.*'/new='$1'/" "$work/other/DEBIAN/preinst"
    dpkg-deb --root-owner-group -Znone --build "$work/other" \
        "$root/packages/waggle_$1.deb" >/dev/null
    rm -rf "$work/other"
}
installed() { inside dpkg-query -W -f '${Status} ${Version}' waggle; }
expect_version() {
    [[ $(installed) == "install ok installed $1" ]] || fail "installed is: $(installed)"
}

say 'the checksums fit, and the bill of materials names every package that was built in'
(cd "$packages" && sha256sum --check --quiet SHA256SUMS)
jq -e --slurpfile resolved Package.resolved '
    [.components[] | .name] as $names
    | .bomFormat == "CycloneDX" and ($resolved[0].pins | length > 5)
        and ([$resolved[0].pins[].identity] - $names == [])' \
    "$packages"/waggle-*.cdx.json >/dev/null || fail 'the bill of materials is not complete'
if [[ -x .build/release/waggle ]]; then
    say 'made again, the packages are the same'
    python3 -B Sources/CommandLineTool/Package/package.py .build/release/waggle "$work/again" \
        >"$work/log"
    diff "$packages/SHA256SUMS" "$work/again/SHA256SUMS" || fail 'they are not the same'
fi

say 'apt installs an older version, with the libraries that it needs'
repack 0.0.1
inside apt-get update -qq
install() {
    inside apt-get install -qq -y --no-install-recommends "/packages/$1" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "$1 was not installed"
    }
}
install waggle_0.0.1.deb
expect_version 0.0.1
libraries=$(inside ldd /usr/bin/waggle)
! grep 'not found' <<<"$libraries" || fail 'a library is missing'
[[ $(inside waggle --version) == "$version ("*')' ]] || fail 'the version is another one'
for page in waggle waggle-serve waggle-deploy waggle-user; do
    [[ -e $root/usr/share/man/man1/$page.1.gz ]] || fail "there is no manual page '$page'"
done
[[ -e $root/usr/share/bash-completion/completions/waggle ]] || fail 'bash completes nothing'
inside bash -n /usr/share/bash-completion/completions/waggle
for file in zsh/vendor-completions/_waggle fish/vendor_completions.d/waggle.fish; do
    grep -q deploy "$root/usr/share/$file" || fail "$file does not complete 'deploy'"
done
if command -v man >/dev/null; then
    for page in "$root"/usr/share/man/man[18]/waggle*.gz; do
        warnings=$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null)
        [[ -z $warnings ]] || fail "${page##*/}: $warnings"
    done
else
    say 'not tried: the manual pages, since man is not here'
fi

# As the service and the container do: a user without rights, and folders of its own.
as=(--userspec=10001:10001)
command install -d -m 755 "$root/var/lib/private"
command install -d -o 10001 -g 10001 -m 700 \
    "$root/var/lib/private/waggle" "$root/var/lib/private/waggle/backups"
ln -s private/waggle "$root/var/lib/waggle"
readonly kept_in=(WAGGLE_DATABASE=/var/lib/waggle/waggle.sqlite)
with=("${kept_in[@]}")

# The lines of documentation call commands that are not there: no service runs, and waggle-admin
# runs its command as the user of the service, in its folder.
mkdir "$root/stubs"
printf '#!/bin/sh\nexec env "$@"\n' >"$root/stubs/sudo"
printf '#!/bin/sh\n' >"$root/stubs/systemctl"
cat >"$root/stubs/systemd-run" <<'STUB'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
    case $1 in
    --property=WorkingDirectory=*) cd "${1#--property=WorkingDirectory=}" ;;
    --property=LoadCredential=settings.json:*) settings=${1#*json:} ;;
    esac
    shift
done
WAGGLE_CONFIG=$settings exec setpriv --reuid 10001 --regid 10001 --clear-groups "$@"
STUB
chmod 755 "$root"/stubs/*

# The first block of sh below the line of Installing.md that begins with $1.
documented() {
    awk -v line="$1" 'index($0, line) == 1 { below = 1 }
        /^```$/ && block { exit }
        block { print }
        below && /^```sh$/ { block = 1 }' Sources/Waggle/Documentation.docc/Installing.md
}
follow() {
    inside env PATH=/stubs:/usr/sbin:/usr/bin:/sbin:/bin bash -euo pipefail -c "$1" \
        >"$work/log" 2>&1 || fail "the page does not lead there: $(<"$work/log")"
}

serve() {
    exec {lines}< <(with+=(WAGGLE_PORT=0 "$@"); become waggle serve 2>"$work/log")
    server=$!
    local line
    read -r -t "$start_timeout_seconds" line <&"$lines" || fail "no server: $(<"$work/log")"
    port=${line##*:}
}
stop() {
    kill -TERM "$server"
    wait "$server" 2>/dev/null || true
    exec {lines}<&-
    server=''
}

say 'it deploys and serves, and the health check tells so'
inside waggle deploy /packages/application.xml
inside waggle user add anna --group users --password-stdin <<<'a password of anna'
serve
inside /usr/lib/waggle/healthy 127.0.0.1 "$port" || fail 'the server is not healthy'
stop
! inside /usr/lib/waggle/healthy 127.0.0.1 "$port" 2>/dev/null || fail 'a stopped server is healthy'

say 'it makes backups in the folder of the service'
serve WAGGLE_BACKUP_FOLDER=/var/lib/waggle/backups
deadline=$((SECONDS + start_timeout_seconds))
until grep -q '"message":"backed up"' "$work/log"; do
    ((SECONDS < deadline)) || fail "no backup: $(<"$work/log")"
    sleep 0.1
done
stop
[[ -n $(find "$root/var/lib/private/waggle/backups" -name 'waggle-2*.sqlite') ]] ||
    fail 'there is no backup'
for file in "$root/lib/systemd/system/waggle.service" "$root/usr/sbin/waggle-admin"; do
    grep -q 'StateDirectory=waggle waggle/backups' "$file" ||
        fail "${file##*/} makes no folder for backups"
done

say 'waggle-admin makes one before an upgrade, as the page says'
as=() with=()
follow "$(documented 'this takes is the only interruption')"

say 'an upgrade keeps the settings that were changed, and the data'
settings=$root/etc/waggle/settings.json
sed -i 's/8080/8081/' "$settings"
install "$package"
expect_version "$version"
grep -q 8081 "$settings" || fail 'the settings were replaced'
as=(--userspec=10001:10001) with=("${kept_in[@]}")
inside waggle user list | grep -q anna || fail 'the user is gone'
inside waggle user add ben --group users --password-stdin <<<'a password of ben'
serve
stop

say 'a downgrade is refused, and done with the lines of the page, which restore a backup'
as=() with=()
if inside dpkg --install /packages/waggle_0.0.1.deb >"$work/log" 2>&1; then
    fail 'it was downgraded'
fi
grep -q 'refuses to open' "$work/log" || fail "it does not say why: $(<"$work/log")"
expect_version "$version"
steps=$(documented 'An earlier version is refused')
[[ $steps == *waggle_0.1.0_amd64.deb* ]] || fail 'the page names another package'
follow "${steps/waggle_0.1.0_amd64.deb//packages/waggle_0.0.1.deb}"
expect_version 0.0.1
as=(--userspec=10001:10001) with=("${kept_in[@]}")
users=$(inside waggle user list)
[[ $users == *anna* && $users != *ben* ]] || fail "it did not restore the backup: $users"
serve
inside /usr/lib/waggle/healthy 127.0.0.1 "$port" || fail 'what was restored is not served'
stop
as=() with=()
inside dpkg --install "/packages/$package" >"$work/log" 2>&1 || fail "$(<"$work/log")"

say 'removing keeps settings and data, purging keeps the data that nobody gave up'
data=$root/var/lib/private/waggle/waggle.sqlite
inside dpkg --remove waggle >"$work/log" 2>&1 || fail "$(<"$work/log")"
[[ -e $settings && -e $data ]] || fail 'settings or data were removed'
inside dpkg --purge waggle >"$work/log" 2>&1 || fail "$(<"$work/log")"
[[ ! -e $settings && -e $data ]] || fail 'purging did not remove the settings alone'
grep -q 'kept the data' "$work/log" || fail 'it does not say that data was kept'

say 'purging removes everything that was given up'
inside dpkg --install "/packages/$package" >"$work/log" 2>&1 || fail "$(<"$work/log")"
inside debconf-set-selections <<<'waggle waggle/purge-data boolean true'
inside dpkg --purge waggle >"$work/log" 2>&1 || fail "$(<"$work/log")"
left=$(find "$root" -xdev -iname '*waggle*' -not -path "$root/packages/*" \
    -not -path "$root/proc/*")
[[ -z $left ]] || fail "left: $left"

say 'the archive runs where its libraries are'
archive=waggle-$version-linux-$(uname -m)
inside tar -C /opt -xf "/packages/$archive.tar.gz"
[[ $(inside "/opt/$archive/usr/bin/waggle" --version) == "$version ("* ]] ||
    fail 'the program of the archive does not run'

if command -v systemd-analyze >/dev/null; then
    say 'the service is sound, and exposed to little'
    tar -C "$work" --strip-components=1 -xf "$packages"/waggle-*.tar.gz
    # It looks whether the program is there.
    sed "s,=/usr/bin/,=$work/usr/bin/," "$work/lib/systemd/system/waggle.service" \
        >"$work/waggle.service"
    systemd-analyze verify --man=no "$work/waggle.service" ||
        fail 'systemd-analyze finds the service wrong'
    systemd-analyze security --offline=yes --threshold=25 --no-pager \
        "$work/lib/systemd/system/waggle.service" | tail -1
else
    say 'not tried: the service, since systemd-analyze is not here'
fi
say 'not tried: systemd running the service, and the container'
say 'all good'
