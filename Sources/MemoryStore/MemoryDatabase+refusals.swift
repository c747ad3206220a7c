import DefinitionModel
package import SyncEngine
package import WholeRecordSync

extension MemoryDatabase: RefusalStore {
    package func keep(
        _ refusals: [RefusedInput], of login: String, in environment: EnvironmentID,
        at now: Instant,
        limits: RefusalLimits
    ) throws(StoreError) -> [RefusedInput]? {
        try write(in: environment) { environment in
            let list = environment.refusals.map(\.refusal).filter {
                $0.device.login.hasSameBytes(as: login)
            }
            let new = refusals.filter { refusal in !list.contains { $0.isSame(as: refusal) } }
            let total = RefusalTotal(
                count: list.count, bytes: list.reduce(0) { $0 + $1.bytes },
                contentBytes: list.reduce(0) { $0 + ($1.contents?.size ?? 0) })
            guard total.hasRoom(for: new, within: limits) else { return new.isEmpty ? [] : nil }
            for refusal in new {
                let number = (environment.refusals.last?.number ?? 0) + 1
                environment.refusals.append(
                    StoredRefusal(number: number, at: now, refusal: refusal))
            }
            return new
        }
    }

    package func refusals(
        in environment: EnvironmentID, after number: Int64, limit: Int
    ) throws(StoreError) -> [StoredRefusal] {
        Array(try read(environment).refusals.filter { $0.number > number }.prefix(limit))
    }

    package func removeRefusals(
        _ numbers: [Int64], in environment: EnvironmentID
    ) throws(StoreError) -> Int {
        try write(in: environment) { environment in
            let before = environment.refusals.count
            environment.refusals.removeAll { numbers.contains($0.number) }
            return before - environment.refusals.count
        }
    }

    package func sweepRefusals(_ request: SweepRequest) throws(StoreError) -> Int {
        try write(in: request.environment) { environment in
            let old = environment.refusals.filter { $0.at < request.before }
                .sorted { ($0.at, $0.number) < ($1.at, $1.number) }.prefix(request.limit)
            let numbers = Set(old.map(\.number))
            environment.refusals.removeAll { numbers.contains($0.number) }
            return numbers.count
        }
    }
}

extension RefusedInput {
    fileprivate func isSame(as other: RefusedInput) -> Bool {
        ByteKey(device.deviceIdentifier) == ByteKey(other.device.deviceIdentifier)
            && ByteKey(guid) == ByteKey(other.guid) && ByteKey(model) == ByteKey(other.model)
            && ByteKey(content) == ByteKey(other.content)
            && ByteKey(causesText) == ByteKey(other.causesText) && contents == other.contents
    }
}
