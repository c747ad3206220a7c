/// The operations of the administration over HTTP. Their routes, conditions and messages are in
/// `AdminRoute`.
package enum AdminOperation: String, CaseIterable, Sendable {
    case setUp, signIn, showSession, confirm, changeOwnPassword, signOut
    case listOperators, addOperator, changeOperator, removeOperator
    case listTokens, addToken, revokeToken
    case listActivities
    case listEnvironments, showEnvironment, lockEnvironment
    case renameEnvironment, removeEnvironment
    case listDeployments, deploy, listClients
    case listUsers, addUser, changeUser, removeUser
    case listRecords, showRecord, showHistory, listConflicts, changeRecords
    case showRights, explain
    case listVersions, importVersion, showVersion, labelVersion, showSource
    case check, diff
    case showSentRights, explainSentRight
    case edit, drawDiagram, generateModels, makePackage, showLibrary, simulate
    case showDiagnostic, listExamples
    case listDrafts, showDraft, writeDraft, removeDraft, followDraft
    case showInterface
    case resolveConflicts, changeOwnership, listRelations, explainRecord, showCounts
    case countConflicts
    case listSessions, endSessions, endSession, listDevices, unlockUser
    case listPushTokens, removePushToken
    case listFiles, showFile, listNotifications, sendNotification
    case followEvents, showMetrics, showNativeInterface
    case exportRecords, exportUser, importRecords
    case eraseUser, listErasures
    case listInvitations, addInvitation, resetPassword, mailReset, removeCode
}

/// The route of an operation, with its conditions and messages.
package struct AdminRoute: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package enum Answer: Hashable, Sendable {
        case empty
        case json(MessageShape, status: Int)
        /// A message, or progress and the message as JSON lines, with the parameter `progress`.
        case summary(MessageShape)
        /// An `application.xml`.
        case xml
        /// Files in a ZIP archive.
        case zip
        /// A page of a list, or the list as JSON lines.
        case page(MessageShape)
        /// The contents of a file, or a part of them.
        case bytes
        /// Rows of an export, from the first to the last.
        case rows
        /// Server-Sent Events.
        case events
        /// Text of this media type.
        case text(type: String)
    }

    package let operation: AdminOperation
    package let method: Method
    /// Relative to `/admin/v1/`, as in `environments/:environment/users`.
    package let path: String
    package let access: AdminAccess
    /// One sentence.
    package let summary: String
    /// The parameters after the question mark, beside those of a page.
    package let query: [MessageMember]
    /// Nil for a request without a body.
    package let body: MessageShape?
    package let answer: Answer

    init(
        _ operation: AdminOperation, _ method: Method, _ path: String, _ access: AdminAccess,
        _ summary: String, query: [MessageMember] = [], body: [MessageMember]? = nil,
        _ answer: Answer
    ) {
        self.operation = operation
        self.method = method
        self.path = path
        self.access = access
        self.summary = summary
        self.query = query
        self.body = body.map(MessageShape.object)
        self.answer = answer
    }
}

extension AdminRoute {
    /// The prefix of all paths.
    package static let prefix = "/admin/v1"

    /// The names in the path, without colons.
    package var parameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
    }
}

extension AdminAccess {
    static let everyScope = AdminAccess.scopes(Set(AdminScope.allCases))
    static let lookers = AdminAccess.scopes([.viewer, .keeper, .designer])
    static let keepers = AdminAccess.scopes([.keeper, .designer])
    package static let designers = AdminAccess.scopes([.designer])
    static let userChanges = AdminAccess.scopes([.keeper, .designer], password: .beyondTest)
    static let designersInSession = AdminAccess.scopes(
        [.designer], password: .alwaysInSession)
    package static let designersAgain = AdminAccess.scopes([.designer], password: .always)
}
