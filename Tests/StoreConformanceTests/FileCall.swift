import FileExchange
import SyncEngine
import TestKit

/// Calls for files.
enum FileCall: Sendable {
    case file(String, login: String, group: String, limit: Int)
    /// Writes a file, or removes it, independent of its state.
    case change(String, of: String, to: StoredFile?)
    case sweep(before: Int64, limit: Int)
    case heldContents([ContentHash])
    case heldUploads([String])
}

extension FileCall {
    func answer(
        of store: any FileStore, in environment: EnvironmentID
    ) async throws -> StoreAnswer {
        switch self {
        case .file(let guid, let login, let group, let limit):
            let (known, fingerprint) = try await store.file(
                FileRequest(
                    environment: environment, guid: guid, login: login, group: group,
                    limit: NamingLimit(links: 1000, records: limit, bytes: 40 * limit)))
            return .file(known, fingerprint: fingerprint)
        case .change(let guid, let login, let file):
            return .fileState(
                try await store.changeFile(guid, of: login, in: environment) { (file, $0) })
        case .sweep(let before, let limit):
            return .sweptFiles(
                try await store.sweepFiles(
                    SweepRequest(
                        environment: environment, before: Instant(milliseconds: before),
                        limit: limit)))
        case .heldContents(let contents):
            return .held(try await store.held(contents: Set(contents)).map(\.hex).sorted())
        case .heldUploads(let uploads):
            return .held(try await store.held(uploads: Set(uploads)).sorted())
        }
    }
}

/// Few files, uploads and contents, so that calls interact.
private let files = ["f", "e\u{301}", "\u{E9}"]
private let uploads = ["1", "2", "3"]
private let contents = [UInt8(7), 8].compactMap {
    ContentHash(Array(repeating: $0, count: 32))
}

extension RandomCalls {
    mutating func fileCall(by login: String, and other: String) -> FileCall {
        let guid = random.one(of: files) ?? ""
        return switch random.number(in: 0..<8) {
        case 0...2:
            .file(
                guid, login: login, group: random.flip() ? "users" : "guests",
                limit: random.number(in: 1...3))
        case 3...4:
            .change(guid, of: login, to: random.flip() ? file(guid, of: other) : nil)
        case 5: .sweep(before: Int64(random.number(in: 1...7)), limit: random.number(in: 1...2))
        case 6: .heldContents(contents)
        default: .heldUploads(random.some(of: uploads))
        }
    }

    private mutating func file(_ guid: String, of login: String) -> StoredFile {
        let upload = random.one(of: contents).map {
            StoredUpload(
                id: random.one(of: uploads) ?? "", contents: $0,
                size: Int64(random.number(in: 0...9)), isComplete: random.flip())
        }
        return StoredFile(
            guid: guid, login: login, at: Instant(milliseconds: Int64(random.number(in: 1...6))),
            isNamed: random.flip(), upload: random.flip() ? upload : nil)
    }

    mutating func fileNeed() -> FileNeed {
        FileNeed(
            guids: random.some(of: files), group: random.flip() ? "users" : "guests",
            limit: NamingLimit(
                links: 1000, records: random.number(in: 1...3), bytes: random.number(in: 1...99)))
    }

    mutating func nameFiles(in writes: inout WriteSet) {
        let link = { (guid: String, file: String) in RecordLink(source: guid, target: file) }
        for guid in random.some(of: guids) {
            switch random.number(in: 0..<4) {
            case 0: writes.links += random.some(of: files).map { link(guid, $0) }
            case 1: writes.formerLinks += random.some(of: files).map { link(guid, $0) }
            case 2: writes.endedLinks += random.some(of: files).map { link(guid, $0) }
            default: break
            }
        }
        writes.namedFiles = Set((writes.links + writes.formerLinks).map(\.target))
    }
}
