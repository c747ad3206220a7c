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
                    .map { DeviceByteKey($0.device) })
            let old = environment.devices.values.flatMap(\.values).filter {
                $0.signedInAt < request.before && !signedIn.contains(DeviceByteKey($0.device))
            }.sorted { place(of: $0) < place(of: $1) }.prefix(request.limit)
            for (device, _) in old { contents.forget(device, in: environment.id) }
            return old.count + contents.forgetLooseTokens(request, limit: request.limit - old.count)
        }
    }
}

/// The place of a device in the order of the last sign-ins.
private func place(
    of known: (device: DeviceKey, signedInAt: Instant)
) -> (Instant, DeviceByteKey) {
    (known.signedInAt, DeviceByteKey(known.device))
}

extension Environment {
    /// The other devices of the device's user. The one that signed in last comes first.
    func otherDevices(than device: DeviceKey) -> [DeviceKey] {
        (devices[ByteKey(device.login)] ?? [:]).values
            .filter { DeviceByteKey($0.device) != DeviceByteKey(device) }
            .sorted { place(of: $0) > place(of: $1) }.map(\.device)
    }
}

extension Contents {
    /// Deletes old push tokens of devices that are not known, of users without a session.
    fileprivate mutating func forgetLooseTokens(_ request: SweepRequest, limit: Int) -> Int {
        guard var environment = environments[request.environment] else { return 0 }
        let signedIn = Set(
            sessions.values.filter { $0.environment == environment.id }
                .map { ByteKey($0.device.login) })
        let old = environment.pushTokens.filter { place, token in
            let login = ByteKey(token.device.login)
            let device = ByteKey(token.device.deviceIdentifier)
            return token.at < request.before && environment.guestSources[place] == nil
                && environment.devices[login]?[device] == nil && !signedIn.contains(login)
        }.sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }.prefix(limit)
        for (place, _) in old { environment.pushTokens[place] = nil }
        environments[request.environment] = environment
        return old.count
    }

    /// Deletes a device with everything that is kept for it.
    mutating func forget(_ device: DeviceKey, in id: EnvironmentID) {
        let key = DeviceByteKey(device)
        sessions = sessions.filter {
            $0.value.environment != id || DeviceByteKey($0.value.device) != key
        }
        guard var environment = environments[id] else { return }
        environment.outcomes = environment.outcomes.filter { $0.key.device != key }
        environment.progress[key.login]?[key.identifier] = nil
        environment.deviceFiles[key.login]?[key.identifier] = nil
        environment.pushTokens = environment.pushTokens.filter {
            DeviceByteKey($0.value.device) != key
        }
        environment.devices[key.login]?[key.identifier] = nil
        environments[id] = environment
    }
}

// MARK: - Clients

extension MemoryDatabase: ClientStore {
    package func remember(
        _ clients: [SeenClient], in environment: EnvironmentID, upTo max: Int
    ) throws(StoreError) {
        try write(in: environment) { environment in
            for (login, day) in clients.lastDaysOfUsers {
                let login = ByteKey(login)
                guard environment.users[login] != nil else { continue }
                environment.userDays[login] = Swift.max(environment.userDays[login] ?? day, day)
            }
            for client in clients {
                let place = environment.clients.firstIndex { client.isSame(as: $0) }
                if let place {
                    if environment.clients[place].day < client.day {
                        environment.clients[place] = client
                    }
                } else if environment.clients.count < max {
                    environment.clients.append(client)
                }
            }
        }
    }

    package func seenVersions(
        in environment: EnvironmentID, since day: Int64
    ) throws(StoreError) -> [SeenVersion] {
        let recent = try read(environment).clients.filter { $0.day >= day }
        return Dictionary(grouping: recent) { [$0.wire, $0.fingerprint] }.map { names, clients in
            SeenVersion(
                wire: names[0], fingerprint: names[1], devices: clients.count,
                lastDay: clients.map(\.day).max() ?? day)
        }.sorted { ($0.wire, $0.fingerprint) < ($1.wire, $1.fingerprint) }
    }

    package func lastDays(
        ofDevices devices: Set<[UInt8]>, in environment: EnvironmentID
    ) throws(StoreError) -> [[UInt8]: Int64] {
        try read(environment).clients.filter { devices.contains($0.device) }
            .reduce(into: [:]) { days, client in
                days[client.device] = max(days[client.device] ?? client.day, client.day)
            }
    }

    package func forgetClients(seenBefore day: Int64, limit: Int) throws(StoreError) -> Int {
        try write { contents in
            var count = 0
            for (id, environment) in contents.environments {
                let kept = environment.clients.filter { client in
                    guard client.day < day, count < limit else { return true }
                    count += 1
                    return false
                }
                contents.environments[id]?.clients = kept
            }
            return count
        }
    }
}

extension SeenClient {
    fileprivate func isSame(as other: SeenClient) -> Bool {
        wire == other.wire && fingerprint == other.fingerprint && device == other.device
    }
}
