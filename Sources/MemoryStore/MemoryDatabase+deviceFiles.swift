import DefinitionModel
package import SyncEngine
package import WholeRecordSync

extension MemoryDatabase: DeviceFileStore {
    package func deviceFiles(
        of device: DeviceKey, namedBy records: [String], in environment: EnvironmentID
    ) throws(StoreError) -> [FileOnDevice] {
        try read(environment).files(of: device).filter { records.contains($0.record) }
    }

    package func deviceFiles(
        of device: DeviceKey, amongFiles files: [String], in environment: EnvironmentID
    ) throws(StoreError) -> [FileOnDevice] {
        try read(environment).files(of: device).filter { files.contains($0.file) }
    }

    package func owedFiles(
        of device: DeviceKey, in environment: EnvironmentID, limit: Int
    ) throws(StoreError) -> [FileOnDevice] {
        let owed = try read(environment).files(of: device).filter {
            $0.ticket != nil && !$0.isLeaving
        }
        let sorted = owed.sorted { $0.key < $1.key }
        return Array(
            (sorted.filter { $0.ticket != "" } + sorted.filter { $0.ticket == "" }).prefix(limit))
    }

    package func putDeviceFiles(
        _ files: [FileOnDevice], of device: DeviceKey, in environment: EnvironmentID
    ) throws(StoreError) {
        try change(device, in: environment) { present in
            for file in files {
                present.removeAll { $0.key == file.key }
                present.append(file)
            }
        }
    }

    package func settleDeviceFiles(
        of device: DeviceKey, ticket: String, in environment: EnvironmentID
    ) throws(StoreError) {
        try change(device, in: environment) { present in
            present = present.compactMap { file in
                guard file.ticket.map({ $0.hasSameBytes(as: ticket) }) ?? false else {
                    return file
                }
                return file.isLeaving ? nil : FileOnDevice(record: file.record, file: file.file)
            }
        }
    }

    package func forgetDeviceFiles(
        of device: DeviceKey, in environment: EnvironmentID
    ) throws(StoreError) {
        try change(device, in: environment) { $0 = [] }
    }

    private func change(
        _ device: DeviceKey, in environment: EnvironmentID, _ body: (inout [FileOnDevice]) -> Void
    ) throws(StoreError) {
        try write(in: environment) { environment in
            let login = ByteKey(device.login)
            guard environment.users[login] != nil else { return }
            body(
                &environment.deviceFiles[login, default: [:]][
                    ByteKey(device.deviceIdentifier), default: []])
        }
    }
}

extension Environment {
    fileprivate func files(of device: DeviceKey) -> [FileOnDevice] {
        deviceFiles[ByteKey(device.login)]?[ByteKey(device.deviceIdentifier)] ?? []
    }
}

extension FileOnDevice {
    fileprivate var key: (ByteKey, ByteKey) { (ByteKey(record), ByteKey(file)) }
}
