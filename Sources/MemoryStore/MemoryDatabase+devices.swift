import DefinitionModel
import Notifications
package import SyncEngine

extension MemoryDatabase {
    package func hasSignedIn(
        _ device: DeviceKey, in environment: EnvironmentID
    ) throws(StoreError) -> Bool {
        let devices = try read(environment).devices[ByteKey(device.login)] ?? [:]
        return devices[ByteKey(device.deviceIdentifier)] != nil
    }

    package func forgetDevices(_ request: SweepRequest) throws(StoreError) -> Int {
        try write { contents throws(StoreError) in
            let environment = try contents.environment(request.environment)
            let signedIn = Set(
                contents.sessions.values.filter { $0.environment == environment.id }
                    .map { DeviceBytes($0.device) })
            let old = environment.devices.values.flatMap(\.values).filter {
                $0.signedInAt < request.before && !signedIn.contains(DeviceBytes($0.device))
            }.sorted {
                ($0.signedInAt, DeviceBytes($0.device)) < ($1.signedInAt, DeviceBytes($1.device))
            }.prefix(request.limit)
            for (device, _) in old { contents.forget(device, in: environment.id) }
            return old.count
        }
    }
}

extension Environment {
    /// The other devices of the device's user. The one that signed in last comes first.
    func otherDevices(than device: DeviceKey) -> [DeviceKey] {
        (devices[ByteKey(device.login)] ?? [:]).values
            .filter { DeviceBytes($0.device) != DeviceBytes(device) }
            .sorted {
                ($0.signedInAt, DeviceBytes($0.device)) > ($1.signedInAt, DeviceBytes($1.device))
            }.map(\.device)
    }
}

extension Contents {
    /// Deletes a device with everything that is kept for it.
    mutating func forget(_ device: DeviceKey, in id: EnvironmentID) {
        let key = DeviceBytes(device)
        sessions = sessions.filter {
            $0.value.environment != id || DeviceBytes($0.value.device) != key
        }
        guard var environment = environments[id] else { return }
        environment.outcomes = environment.outcomes.filter {
            $0.key.login != key.login || $0.key.deviceIdentifier != key.identifier
        }
        environment.progress[key.login]?[key.identifier] = nil
        environment.pushTokens = environment.pushTokens.filter {
            DeviceBytes($0.value.device) != key
        }
        environment.devices[key.login]?[key.identifier] = nil
        environments[id] = environment
    }
}

/// A device, compared by the bytes of its texts.
private struct DeviceBytes: Hashable, Comparable {
    let login: ByteKey
    let identifier: ByteKey

    init(_ device: DeviceKey) {
        login = ByteKey(device.login)
        identifier = ByteKey(device.deviceIdentifier)
    }

    static func < (left: DeviceBytes, right: DeviceBytes) -> Bool {
        (left.login, left.identifier) < (right.login, right.identifier)
    }
}
