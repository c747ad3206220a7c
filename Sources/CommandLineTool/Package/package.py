#!/usr/bin/env python3
"""Makes a Debian package and an archive from a release build of the tool; `make package`.

They come to .build/package, with SHA256SUMS and a bill of materials. The same commit and the same
program give the same bytes. WAGGLE_COMMIT names the commit where git cannot, as in a container.
"""
import datetime
import email.utils
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import bill
import man_pages

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm']
CONTROL = """Package: waggle
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}, debconf | debconf-2.0
Recommends: systemd, ca-certificates
Suggests: postgresql-client
Section: net
Priority: optional
Description: sync server and tools for apps that work offline
 Describe an app's data once, in an application.xml: models, fields, limits,
 rights and the treatment of conflicts. Waggle checks it, generates typed
 Swift models, and serves it to clients that work offline and sync.
"""


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    target = pathlib.Path(sys.argv[2])
    shutil.rmtree(target, ignore_errors=True)
    tree = target / 'tree'
    tree.mkdir(parents=True)
    version = said([program, '--version']).split()[0]
    commit, seconds = source_state()
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    finish_program(program, tree / 'usr/bin/waggle', commit)
    fill(tree, version, time)
    depends = dependencies(tree)
    write(tree, 'usr/share/doc/waggle/sbom.cdx.json', materials(version, commit, time, depends))
    settle_times(tree, seconds)
    package = debian_package(tree, target, version, depends, seconds)
    archive = tar_archive(tree, target, version, seconds)
    materials_file = target / f'waggle-{version}.cdx.json'
    shutil.copy(tree / 'usr/share/doc/waggle/sbom.cdx.json', materials_file)
    sums = ''.join(f'{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n'
                   for file in sorted([package, archive, materials_file]))
    (target / 'SHA256SUMS').write_text(sums)
    shutil.rmtree(tree)
    print(f'waggle {version} ({commit}), in {os.path.relpath(target)}:')
    print(sums, end='')


def said(command, **options):
    return subprocess.run(
        [str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE,
        **options).stdout


def git(*words):
    found = subprocess.run(['git', '-C', ROOT, *words], text=True, capture_output=True)
    return found.stdout.strip() if found.returncode == 0 else None


def source_state():
    """The source as `--version` shows it, and the time that the files of the package get."""
    given = os.environ.get('SOURCE_DATE_EPOCH')
    if named := os.environ.get('WAGGLE_COMMIT'):
        return f'commit {named}', int(given or 0)
    top = git('rev-parse', '--show-toplevel')
    commit = git('rev-parse', '--short=12', 'HEAD')
    if commit is None or pathlib.Path(top) != ROOT:
        newest = max(file.stat().st_mtime for file in (ROOT / 'Sources').rglob('*.swift'))
        return 'commit unknown: packaged without git', int(given or newest)
    changes = ' with changes' if git('status', '--porcelain') else ''
    return f'commit {commit}{changes}', int(given or git('log', '-1', '--format=%ct'))


def finish_program(program, place, commit):
    """Without symbols, and with the line that `waggle --version` reads: see versionText.swift."""
    place.parent.mkdir(parents=True)
    subprocess.run(['strip', '-o', place, program], check=True)
    with open(place, 'ab') as file:
        file.write(f'\nwaggle-build: {commit}\n'.encode())
    said_version = said([place, '--version'])
    if commit not in said_version:
        sys.exit(f'package: the program says {said_version}')


def fill(tree, version, time):
    program = tree / 'usr/bin/waggle'
    tool = json.loads(said([program, '--experimental-dump-help']))['command']
    date = time.strftime('%Y-%m-%d')
    for name, page in man_pages.pages(tool, version, date).items():
        write(tree, f'usr/share/man/man1/{name}.gz', compressed(page))
    shells = {'bash': 'bash-completion/completions/waggle', 'zsh': 'zsh/vendor-completions/_waggle',
              'fish': 'fish/vendor_completions.d/waggle.fish'}
    for shell, place in shells.items():
        write(tree, f'usr/share/{place}', said([program, '--generate-completion-script', shell]))
    copy(tree, HERE / 'settings.json', 'etc/waggle/settings.json', 0o644)
    copy(tree, HERE / 'waggle.service', 'lib/systemd/system/waggle.service', 0o644)
    copy(tree, HERE / 'waggle-admin', 'usr/sbin/waggle-admin', 0o755)
    copy(tree, HERE / 'healthy', 'usr/lib/waggle/healthy', 0o755)
    page = (HERE / 'waggle-admin.8').read_text()
    write(tree, 'usr/share/man/man8/waggle-admin.8.gz', compressed(page))
    documents = tree / 'usr/share/doc/waggle'
    write(documents, 'CHANGELOG.md.gz', compressed((ROOT / 'CHANGELOG.md').read_text()))
    write(documents, 'changelog.gz', compressed(debian_changes(version, time)))
    write(documents, 'copyright', copyright_text())


def write(tree, place, contents, mode=0o644):
    file = tree / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    file.chmod(mode)


def copy(tree, source, place, mode):
    write(tree, place, source.read_bytes(), mode)


def compressed(text):
    return gzip.compress(text.encode(), mtime=0)


def debian_changes(version, time):
    """In the form that Debian's tools read."""
    date = email.utils.format_datetime(time)
    return (f'waggle ({version}) unstable; urgency=medium\n\n'
            f'  * See CHANGELOG.md.gz.\n\n -- {maintainer()}  {date}\n')


def maintainer():
    name = os.environ.get('DEBFULLNAME', 'The makers of Waggle')
    return f'{name} <{os.environ.get("DEBEMAIL", "waggle@localhost")}>'


def copyright_text():
    """The licences of all that is linked statically, as each asks for."""
    parts = ['Waggle, with Swift\'s own libraries (Apache License 2.0 with Runtime Library\n'
             'Exception) and these packages, as far as it uses them:\n']
    for folder in sorted((ROOT / '.build/checkouts').iterdir(), key=lambda f: f.name.lower()):
        texts = [file for name in ('NOTICE', 'LICENSE')
                 for file in sorted(folder.glob(f'{name}*')) if file.is_file()]
        for file in texts:
            parts.append(f'{"=" * 72}\n{folder.name}: {file.name}\n\n{file.read_text()}\n')
    return '\n'.join(parts)


def dependencies(tree):
    """As dpkg-shlibdeps reads them off the program: `libc6 (>= 2.34), …`."""
    work = tree.parent / 'shlibdeps'
    (work / 'debian').mkdir(parents=True)
    (work / 'debian/control').write_text('Source: waggle\n\nPackage: waggle\nArchitecture: any\n')
    text = said(['dpkg-shlibdeps', '-O', (tree / 'usr/bin/waggle').resolve()], cwd=work,
                stderr=subprocess.DEVNULL)
    shutil.rmtree(work)
    return re.search('^shlibs:Depends=(.*)$', text, re.MULTILINE).group(1)


def materials(version, commit, time, depends):
    pins = json.loads((ROOT / 'Package.resolved').read_text())['pins']
    names = sorted({re.split('[ (|]', part.strip())[0] for part in depends.split(',')})
    listed = said(['dpkg-query', '-W', '-f', '${Package} ${Version}\n', *names])
    libraries = sorted({tuple(line.split()) for line in listed.splitlines()})
    swift = re.search(r'Swift version (\S+)', said(['swift', '--version'])).group(1)
    return bill.bill(version, commit, time.strftime('%Y-%m-%dT%H:%M:%SZ'), pins, libraries, swift)


def settle_times(tree, seconds):
    for path in [tree, *tree.rglob('*')]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (seconds, seconds))


def debian_package(tree, target, version, depends, seconds):
    architecture = said(['dpkg', '--print-architecture']).strip()
    size = sum(file.stat().st_size for file in tree.rglob('*') if file.is_file()) // 1024
    control = tree / 'DEBIAN'
    control.mkdir()
    write(control, 'control', CONTROL.format(
        version=version, architecture=architecture, maintainer=maintainer(), size=size,
        depends=depends))
    write(control, 'conffiles', '/etc/waggle/settings.json\n')
    copy(control, HERE / 'templates', 'templates', 0o644)
    for script in SCRIPTS:
        text = (HERE / script).read_text().replace('@VERSION@', version)
        write(control, script, text, 0o755)
    files = sorted(file for file in tree.rglob('*')
                   if file.is_file() and not file.is_relative_to(control))
    write(control, 'md5sums', ''.join(
        f'{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(tree)}\n'
        for file in files if 'etc/' not in str(file.relative_to(tree))))
    settle_times(control, seconds)
    os.utime(tree, (seconds, seconds))
    package = target / f'waggle_{version}_{architecture}.deb'
    subprocess.run(
        ['dpkg-deb', '--root-owner-group', '--build', tree, package], check=True,
        stdout=subprocess.DEVNULL, env={**os.environ, 'SOURCE_DATE_EPOCH': str(seconds)})
    shutil.rmtree(control)
    return package


def tar_archive(tree, target, version, seconds):
    """The same files below one folder, for systems without dpkg."""
    machine = os.uname().machine
    name = f'waggle-{version}-linux-{machine}'
    archive = target / f'{name}.tar.gz'
    pack = subprocess.run(
        ['tar', '-C', tree, '--sort=name', f'--mtime=@{seconds}', '--owner=0', '--group=0',
         '--numeric-owner', f'--transform=s,^\\.,{name},', '-cf', '-', '.'],
        check=True, stdout=subprocess.PIPE)
    archive.write_bytes(gzip.compress(pack.stdout, mtime=0))
    return archive


if __name__ == '__main__':
    main()
