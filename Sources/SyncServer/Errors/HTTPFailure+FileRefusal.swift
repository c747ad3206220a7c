import HTTPTypes
import SyncEngine

extension HTTPFailure {
    /// Maps every refusal of a file to a status.
    init(_ refusal: FileRefusal) {
        self =
            switch refusal {
            case .unknown: .fileUnknown()
            case .awaited: .fileAwaited()
            case .lost(let contents):
                .fileAwaited().logging(
                    "the contents \(contents.hex) are not in the folder of files, or not whole")
            case .guidIllegal: .guidIllegal()
            case .uploadNotAllowed: .uploadNotAllowed()
            case .tooLarge(let max): .fileTooLarge(maxBytes: max)
            case .tooManyLoose(let max, let maxBytes):
                .tooManyLooseFiles(max: max, maxBytes: maxBytes)
            case .notYours: .fileNotYours()
            case .exists: .fileExists()
            case .partElsewhere(let received): .partElsewhere(received: received)
            case .overtaken: .uploadOvertaken()
            case .digestWrong: .digestWrong()
            }
    }
}

// MARK: - Getting a file

extension HTTPFailure {
    fileprivate static func fileUnknown() -> HTTPFailure {
        HTTPFailure(
            .notFound, "fileUnknown", "there is no such file",
            help: "check the guid, and sync: it may not be yours to see any more")
    }

    fileprivate static func fileAwaited() -> HTTPFailure {
        HTTPFailure(
            .notFound, "fileAwaited", "the file's contents are not there yet",
            help: "try again when whoever added the file has synced")
    }
}

// MARK: - Sending a file

extension HTTPFailure {
    fileprivate static func guidIllegal() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "guidIllegal", "the guid is not a UUID in its usual form",
            help: "upload the file under the guid that its field names")
    }

    fileprivate static func uploadNotAllowed() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "uploadNotAllowed", "your role may set no field that holds a file",
            help: "'waggle rights' shows which roles may")
    }

    fileprivate static func fileTooLarge(maxBytes: Int64) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "fileTooLarge", "the file is larger than \(maxBytes) bytes",
            help: "send a smaller one", details: ["maxBytes": "\(maxBytes)"])
    }

    fileprivate static func tooManyLooseFiles(max: Int, maxBytes: Int64) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyLooseFiles",
            "you have uploaded too much that no record names",
            help: "push the records that name these files, or wait until they are purged",
            details: ["max": "\(max)", "maxBytes": "\(maxBytes)"])
    }

    fileprivate static func fileNotYours() -> HTTPFailure {
        HTTPFailure(
            .conflict, "fileNotYours", "the guid belongs to another user's file",
            help: "give the file a guid of its own, also in the record that names it")
    }

    fileprivate static func fileExists() -> HTTPFailure {
        HTTPFailure(
            .conflict, "fileExists", "the file has other contents, and keeps them",
            help: "send the new contents under a new guid, and name that in the record")
    }

    fileprivate static func partElsewhere(received: Int64) -> HTTPFailure {
        HTTPFailure(
            .conflict, "partElsewhere", "the part does not follow the received bytes",
            help: "go on from byte \(received)", details: ["received": "\(received)"])
    }

    fileprivate static func uploadOvertaken() -> HTTPFailure {
        HTTPFailure(
            .conflict, "uploadOvertaken", "another request took over this upload",
            help: "ask how far it has got, and go on from there")
    }

    fileprivate static func digestWrong() -> HTTPFailure {
        HTTPFailure(
            .unprocessableContent, "digestWrong", "the contents do not match Repr-Digest",
            help: "send all of them again; the received bytes were discarded")
    }

    static func uploadTooSlow(seconds: Int, bytes: Int) -> HTTPFailure {
        HTTPFailure(
            .requestTimeout, "bodyTooSlow", "fewer than \(bytes) bytes came within \(seconds) s",
            help: "the received bytes are kept: resume from there",
            details: ["seconds": "\(seconds)"]
        ).with(.connection, "close")
    }

    static func tooManyOwnUploads(max: Int) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyUploads", "\(max) uploads of yours are running already",
            help: "send the next one when one of them has ended", details: ["max": "\(max)"]
        ).with(.retryAfter, "1")
    }

    static func tooManyUploads(max: Int) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooManyUploads", "\(max) uploads are running already",
            help: "try again in a second", details: ["max": "\(max)"]
        ).with(.retryAfter, "1")
    }
}
