import ChangeRules
import DefinitionModel
package import SyncEngine

/// The files of devices. Their contents are large beside records, and phones pay for them: a device
/// is not sent again what it has.
extension TicketEngine {
    /// The number of owed files that one delivery looks for.
    private static let maxOwed = 1000
    private static let maxEntries = 1000
    /// The files of one record that are noted for a device.
    static let maxFilesOfRecord = 64

    /// Notes that the device has the files of pushed records: those whose contents it has sent with
    /// them, and those that it was never told of, so that it has named them itself. Files of
    /// records that do not exist, or that the device may not see, are not noted.
    package func noteFiles(
        _ sent: Set<String>, namedBy records: [FullRecord], of caller: Caller
    ) async throws(SyncError) {
        let named = records.flatMap { record in
            record.files.map { FileOnDevice(record: record.guid, file: $0) }
        }
        guard !named.isEmpty else { return }
        let entries = try await files(of: caller, namedBy: Set(named.map(\.record)).sorted())
        let present = Set(entries)
        let told = Set(entries.map { FileOnDevice(record: $0.record, file: $0.file) })
        let new = named.filter { file in
            !present.contains(file) && (sent.contains(file.file) || !told.contains(file))
        }
        let visible = try await visibleRecords(
            among: Set(new.map(\.record)).sorted(), for: caller)
        var counts: [String: Int] = entries.reduce(into: [:]) { $0[$1.record, default: 0] += 1 }
        try await put(
            new.filter { file in
                guard visible.contains(file.record) else { return false }
                guard !told.contains(file) else { return true }
                counts[file.record, default: 0] += 1
                return counts[file.record, default: 0] <= Self.maxFilesOfRecord
            }, of: caller)
    }

    /// The guids of the records that exist and that the caller may see.
    private func visibleRecords(
        among guids: [String], for caller: Caller
    ) async throws(SyncError) -> Set<String> {
        var (rest, visible) = (guids[...], Set<String>())
        while !rest.isEmpty {
            let some = Array(rest.prefix(engine.limits.defaultPageRecords))
            let (records, count) = try await unchangedRecords(some, for: caller)
            visible.formUnion(records.map(\.view.guid))
            rest = rest.dropFirst(count)
        }
        return visible
    }

    /// Notes in records the files whose contents their device was not sent. The device does not
    /// know that the records name them, so a null in their place is no edit.
    func notingAwaitedFiles(
        in records: [FullRecord], of caller: Caller
    ) async throws(SyncError) -> [FullRecord] {
        guard engine.hasFileFields else { return records }
        let asked = records.filter { $0.leavesFileOut(under: engine.rules) }.map(\.guid)
        let entries = try await files(of: caller, namedBy: asked)
        let awaited = Dictionary(
            grouping: entries.filter { $0.ticket != nil && !$0.isLeaving }, by: \.record)
        guard !awaited.isEmpty else { return records }
        return records.map { record in
            var record = record
            record.awaitedFiles = Set((awaited[record.guid] ?? []).map(\.file))
            return record
        }
    }

    /// Returns files that the device should have and has not confirmed, such as those whose
    /// contents arrive after their record.
    package func owedFiles(to caller: Caller) async throws(SyncError) -> [FileOnDevice] {
        guard engine.hasFileFields else { return [] }
        return try await engine.reading { () async throws(StoreError) in
            try await store.owedFiles(
                of: caller.device, in: engine.environment, limit: Self.maxOwed)
        }
    }

    /// Notes the files of a delivery: those that it contains, those without contents so far, those
    /// for which it has no room, and those that records name no longer. Returns the guids of the
    /// files that no record of the device names any more.
    package func noteFiles(
        sent: [FileOnDevice], absent: [FileOnDevice], later: [FileOnDevice],
        leaving: [FileOnDevice], with ticket: String, to caller: Caller
    ) async throws(SyncError) -> [String] {
        let gone = try await gone(leaving, beside: sent + absent + later, of: caller)
        let entries =
            absent.map { FileOnDevice(record: $0.record, file: $0.file, ticket: "") }
            + later.map {
                FileOnDevice(record: $0.record, file: $0.file, ticket: FileOnDevice.later)
            }
            + sent.map { FileOnDevice(record: $0.record, file: $0.file, ticket: ticket) }
            + leaving.map {
                FileOnDevice(record: $0.record, file: $0.file, ticket: ticket, isLeaving: true)
            }
        try await put(entries, of: caller)
        return gone
    }

    private func gone(
        _ leaving: [FileOnDevice], beside named: [FileOnDevice], of caller: Caller
    ) async throws(SyncError) -> [String] {
        let files = Set(leaving.map(\.file)).subtracting(named.map(\.file)).sorted()
        guard !files.isEmpty else { return [] }
        let entries = try await engine.reading { () async throws(StoreError) in
            try await store.deviceFiles(
                of: caller.device, amongFiles: files, in: engine.environment)
        }
        let ends = Set(leaving)
        let used = Set(entries.filter { !$0.isLeaving && !ends.contains($0) }.map(\.file))
        return files.filter { !used.contains($0) }
    }

    func files(
        of caller: Caller, namedBy records: [String]
    ) async throws(SyncError) -> [FileOnDevice] {
        guard !records.isEmpty else { return [] }
        return try await engine.reading { () async throws(StoreError) in
            try await store.deviceFiles(
                of: caller.device, namedBy: records, in: engine.environment)
        }
    }

    func forgetFiles(of caller: Caller) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await store.forgetDeviceFiles(of: caller.device, in: engine.environment)
        }
    }

    /// In transactions of limited size.
    private func put(_ entries: [FileOnDevice], of caller: Caller) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            for start in stride(from: 0, to: entries.count, by: Self.maxEntries) {
                try await store.putDeviceFiles(
                    Array(entries[start..<min(start + Self.maxEntries, entries.count)]),
                    of: caller.device, in: engine.environment)
            }
        }
    }
}

extension FullRecord {
    /// Whether it has null in a field that holds a file.
    fileprivate func leavesFileOut(under rules: Rules) -> Bool {
        guard let model = rules.model(named: model) else { return false }
        return fieldsOfUpdate.contains { name, value in
            value == .null && model.field(named: name)?.type == .file
        }
    }

    /// Guids of the files in its fields.
    package var files: [String] {
        fields.values.compactMap { value in
            if case .value(.file(let file)) = value { file.guid } else { nil }
        }
    }
}
