import DefinitionModel
package import SyncEngine
package import WholeRecordSync

extension MemoryDatabase: TicketStore {
    package func changeProgress<Result: Sendable>(
        of device: DeviceKey, in environment: EnvironmentID,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) throws(StoreError) -> Result {
        try write(in: environment) { environment in
            let login = ByteKey(device.login)
            let place = ByteKey(device.deviceIdentifier)
            let (next, result) = deciding(environment.progress[login]?[place])
            if let next, environment.users[login] != nil {
                environment.progress[login, default: [:]][place] = next
            }
            return result
        }
    }
}
