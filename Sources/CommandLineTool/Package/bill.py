"""The bill of materials of a package, in CycloneDX 1.5."""
import json
import uuid


def bill(version, commit, time, pins, libraries, swift):
    """`pins` are those of Package.resolved, `libraries` name and version of Debian's packages."""
    components = [pinned(pin) for pin in pins] + [installed(*pair) for pair in libraries]
    components.append({
        'type': 'framework', 'name': 'swift', 'version': swift,
        'description': "Swift's own libraries, linked statically",
        'licenses': [{'license': {'id': 'Apache-2.0'}}]})
    seed = json.dumps([version, commit, components], sort_keys=True)
    return json.dumps({
        'bomFormat': 'CycloneDX', 'specVersion': '1.5', 'version': 1,
        # The same for the same contents, so that a package can be made again.
        'serialNumber': f'urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, seed)}',
        'metadata': {
            'timestamp': time,
            'component': {
                'type': 'application', 'bom-ref': 'waggle', 'name': 'waggle',
                'version': version,
                'properties': [{'name': 'waggle:build', 'value': commit}]}},
        'components': components,
        'dependencies': [{'ref': 'waggle', 'dependsOn': [c['purl'] for c in components
                                                         if 'purl' in c]}],
    }, indent=2) + '\n'


def pinned(pin):
    place = pin['location'].removeprefix('https://').removesuffix('.git')
    version = pin['state'].get('version') or pin['state']['revision']
    purl = f'pkg:swift/{place}@{version}'
    return {
        'type': 'library', 'bom-ref': purl, 'purl': purl, 'name': pin['identity'],
        'version': version, 'description': 'linked statically, as far as the tool uses it',
        'externalReferences': [{'type': 'vcs', 'url': pin['location']}],
        'properties': [{'name': 'git:revision', 'value': pin['state']['revision']}]}


def installed(name, version):
    purl = f'pkg:deb/debian/{name}@{version}'
    return {'type': 'library', 'bom-ref': purl, 'purl': purl, 'name': name, 'version': version,
            'description': 'a dependency of the package, in the version that it was made with'}
