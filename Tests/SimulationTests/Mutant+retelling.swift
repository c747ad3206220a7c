import SyncEngine

extension Mutant {
    /// Mutants that do not tell a client that pulls by time what came into sight or went out of it.
    static let retelling = [
        Mutant("changes of rights and groups are not retold", breaks: [.pullsByTimeAgree]) {
            store in
            store.retold.sights = { _ in [] }
        },
        Mutant("only the last change of sight is retold", breaks: [.pullsByTimeAgree]) { store in
            store.retold.sights = { Array($0.suffix(1)) }
        },
        Mutant("moves are not retold", breaks: [.pullsByTimeAgree]) { store in
            store.retold.moves = { _ in [] }
        },
        Mutant(
            "a record counts as that of its owner of now", breaks: [.pullsByTimeAgree]
        ) { store in
            store.retold.ownerships = { $0.map { _ in [] } }
        },
        Mutant("purged records are not retold", breaks: [.pullsByTimeAgree]) { store in
            store.retold.purged = { _ in [] }
        },
    ]
}
