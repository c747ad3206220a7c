import DefinitionCompiler
import DefinitionModel
import Testing

/// The diagnostics about rights agree with a simulation that tries each right on each kind of
/// record.
@Suite struct ReachTests {
    /// The relation of a user to a record, in the order in which broader levels reach it.
    enum Record: CaseIterable {
        case own, ofGroup, ofOthers

        func isReached(by level: AccessLevel) -> Bool {
            switch level {
            case .none: false
            case .own: self == .own
            case .group: self != .ofOthers
            case .all: true
            }
        }
    }

    @Test(arguments: AccessLevel.allCases, AccessLevel.allCases)
    func updatingRecordNeedsReadingIt(read: AccessLevel, update: AccessLevel) {
        let ids = Self.ids(modelRead: read, modelUpdate: update, read: .none, update: .none)
        let isBlind = Record.allCases.contains {
            $0.isReached(by: update) && !$0.isReached(by: read)
        }
        #expect(ids.contains("updateWithoutRead") == isBlind)
    }

    @Test(arguments: AccessLevel.allCases, AccessLevel.allCases)
    func updatingFieldNeedsReadingIt(modelRead: AccessLevel, modelUpdate: AccessLevel) {
        for (read, update) in Self.pairs where !modelUpdate.isWider(than: modelRead) {
            let ids = Self.ids(
                modelRead: modelRead, modelUpdate: modelUpdate, read: read, update: update)
            let isBlind = Record.allCases.contains {
                $0.isReached(by: modelUpdate) && $0.isReached(by: update)
                    && !$0.isReached(by: read)
            }
            #expect(ids.contains("updateWithoutRead") == isBlind, "\(read) \(update)")
        }
    }

    @Test(arguments: AccessLevel.allCases, AccessLevel.allCases)
    func rightToFieldNeedsOneToRecord(modelRead: AccessLevel, modelUpdate: AccessLevel) {
        for (read, update) in Self.pairs {
            let ids = Self.ids(
                modelRead: modelRead, modelUpdate: modelUpdate, read: read, update: update)
            let isVoid =
                (read != .none && modelRead == .none) || (update != .none && modelUpdate == .none)
            #expect(ids.contains("voidFieldRight") == isVoid, "\(read) \(update)")
        }
    }

    @Test(arguments: AccessLevel.allCases, AccessLevel.allCases)
    func groupWithoutOwnIsReported(modelRead: AccessLevel, modelUpdate: AccessLevel) {
        for (read, update) in Self.pairs {
            let ids = Self.ids(
                modelRead: modelRead, modelUpdate: modelUpdate, read: read, update: update)
            let isVain =
                (read == .group && modelRead == .own) || (update == .group && modelUpdate == .own)
            #expect(ids.contains("groupSameAsOwn") == isVain, "\(read) \(update)")
        }
    }

    private static let pairs = AccessLevel.allCases.flatMap { read in
        AccessLevel.allCases.map { (read, $0) }
    }

    /// Another role may do everything in the document, so that only this role's rights cause
    /// diagnostics.
    private static func ids(
        modelRead: AccessLevel, modelUpdate: AccessLevel, read: AccessLevel, update: AccessLevel
    ) -> Set<String> {
        let everything = "createAllowed='ALL' readAllowed='ALL' updateAllowed='ALL'"
        let chief = "<credential role='chiefs-mobile' \(everything)/>"
        let model = "<credential role='users-mobile' \(rights(modelRead, modelUpdate))/>"
        let field = "<credential role='users-mobile' \(rights(read, update))/>"
        let text = document(
            models: """
                <model name="Order"><fields><field name="title" type="TEXT">
                <credentials>\(chief)\(field)</credentials></field></fields>
                <credentials>\(chief)\(model)</credentials></model>
                """
        )
        .replacing(
            "<group name=\"users\"/>", with: "<group name=\"users\"/><group name=\"chiefs\"/>"
        )
        .replacing("<roles>", with: "<roles><role group=\"chiefs\" device=\"mobile\"/>")
        return Set(compile(text: text).diagnostics.map(\.id))
    }

    private static func rights(_ read: AccessLevel, _ update: AccessLevel) -> String {
        "readAllowed='\(read.rawValue)' updateAllowed='\(update.rawValue)'"
    }
}

extension AccessLevel {
    fileprivate func isWider(than other: AccessLevel) -> Bool {
        ReachTests.Record.allCases.contains {
            $0.isReached(by: self) && !$0.isReached(by: other)
        }
    }
}
