import ChangeRules
import SyncEngine

/// The reason why a command failed, for people.
struct ToolFailure: Error {
    enum Kind {
        case inputAtFault, wrongUsage, machineFailed

        var exitCode: Int32 {
            switch self {
            case .inputAtFault: 1
            case .wrongUsage: 2
            case .machineFailed: 3
            }
        }
    }

    let kind: Kind
    let message: String
    /// The remedy.
    let help: String?
    /// Whether the same may succeed soon.
    private(set) var mayPass = false

    init(_ kind: Kind, _ message: String, help: String? = nil) {
        self.kind = kind
        self.message = message
        self.help = help
    }

    var text: String {
        "error: \(message)" + (help.map { "\nhelp: \($0)" } ?? "")
    }
}

extension ToolFailure {
    init(_ error: StoreError, database: String) {
        switch error {
        case .busy:
            self.init(
                .machineFailed, "'\(database)' is locked by another program",
                help: "try again, or find out who writes to it for so long")
            mayPass = true
        case .unavailable(let text):
            self.init(
                .machineFailed, "'\(database)' cannot be reached: \(text)",
                help: "see that it runs, and that host, port, user and password are right; a "
                    + "password can be in PGPASSWORD or ~/.pgpass")
            mayPass = isOfStartingServer(text)
        case .stopping, .cancelled:
            self.init(.machineFailed, "the work on '\(database)' was stopped", help: "repeat it")
        case .memoryFull:
            self.init(
                .machineFailed, "there is no memory for the work on '\(database)'",
                help: "repeat it")
        case .outOfSpace:
            self.init(
                .machineFailed, "the disk of '\(database)' is full, or takes no more",
                help: "make room on it, or raise the quota or the limit on the size of files; what "
                    + "was stored is still there")
        case .unreadable(let text, .deployment):
            self.init(
                .inputAtFault, "'\(database)' cannot be used: \(text)",
                help: StoreRemedy.deployment.help(database: database))
        case .unreadable(let text, let remedy):
            self.init(
                .machineFailed, "'\(database)' cannot be used: \(text)",
                help: remedy.help(database: database))
        case .failed(let text):
            self.init(.machineFailed, "the database '\(database)' failed: \(text)")
        }
    }

    init(_ error: SyncError, database: String) {
        if case .store(let error) = error {
            self.init(error, database: database)
        } else if case .find(.modelUnknown(let name)) = error {
            self.init(
                .inputAtFault, "the definition has no model '\(name)'",
                help: "'waggle definition show' shows the models; upper and lower case differ")
        } else if case .find(.query(let fault)) = error {
            self.init(.wrongUsage, fault.message, help: fault.help)
        } else {
            self.init(.machineFailed, "'\(database)' cannot be served: \(error)")
        }
    }

    init(_ error: AccountError, database: String) {
        switch error {
        case .loginIllegal(let login):
            self.init(
                .inputAtFault, "'\(login)' is not a valid login",
                help: "use 1 to 255 bytes without spaces and control characters")
        case .mailIllegal:
            self.init(
                .inputAtFault, "the mail address is too long or has a control character in it",
                help: "use at most 254 bytes of visible characters")
        case .exists(let login):
            self.init(
                .inputAtFault, "there is a user '\(login)' already",
                help: "change them with 'waggle user set-password' or 'waggle user set-group'")
        case .unknown(let login):
            self.init(
                .inputAtFault, "there is no user '\(login)'",
                help: "'waggle user list' lists them")
        case .groupUnknown(let group, let known):
            self.init(
                .inputAtFault, "the definition has no group '\(group)'",
                help: "the groups are \(known.map { "'\($0)'" }.joined(separator: ", "))")
        case .codeUnknown:
            self.init(
                .inputAtFault, "there is no such invitation or reset",
                help: "'waggle user codes' lists those that are valid")
        case .tooManyCodes(let max):
            self.init(
                .inputAtFault, "there are \(max) invitations and resets already",
                help: "revoke some with 'waggle user revoke'")
        case .numberOutOfRange(let name, let max):
            self.init(
                .inputAtFault, "the number of \(name) is out of range", help: "use 1 to \(max)")
        case .store(let error): self.init(error, database: database)
        }
    }
}

/// Whether the message may be that of a server that is about to start, or has no room for the
/// moment. PostgreSQL says FATAL of a wrong password, too.
private func isOfStartingServer(_ message: String) -> Bool {
    guard message.contains("FATAL") else { return true }
    return ["the database system is", "too many clients", "remaining connection slots"]
        .contains(where: message.contains)
}

extension StoreRemedy {
    fileprivate func help(database: String) -> String {
        switch self {
        case .rightFile: "name the file that waggle made, or a new one in a folder that exists"
        case .permission:
            "let the user that runs waggle write this file, those beside it and their folder"
        case .otherDatabase:
            "name another one, or make one: createdb --encoding=UTF8 --template=template0 NAME"
        case .deployment:
            "make it with 'waggle deploy FILE --database \(database)', or name another"
        case .laterWaggle: "use that version, or a later one"
        case .databasePermission:
            "let this user create and use the schema: GRANT CREATE ON DATABASE name TO user"
        case .backup:
            "keep copies of it and of what lies beside it, and put a backup in their place"
        case .restart: "put the right file in its place, and start the server again"
        case .backupOrShorterLog:
            "keep copies of it and of what lies beside it, and put a backup in their place; or "
                + "give up what cannot be read: "
                + "sqlite3 '\(database)' 'PRAGMA wal_checkpoint(TRUNCATE)'"
        }
    }
}
