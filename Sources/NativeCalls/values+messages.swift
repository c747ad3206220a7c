import DefinitionModel
package import FileExchange
package import Notifications
package import RecordSearch
package import SyncEngine
package import SyncProtocol
package import UserAccounts

extension Credentials {
    /// Nil for a request with another proof than a password.
    init?(_ request: SessionRequest) {
        guard case .password(let login, let password) = request.proof else { return nil }
        self.init(
            login: login, password: password, deviceCategory: request.deviceCategory,
            deviceIdentifier: request.deviceIdentifier)
    }
}

extension SessionResponse {
    package init(_ session: SignedIn, token: NewToken, of engine: Engine) {
        self.init(
            token: token.text, expiresAt: session.expiresAt.milliseconds, login: session.login,
            group: session.group, role: session.role.name,
            digest: engine.rules.definition.digest, instance: engine.instance)
    }
}

extension OwnSessionResponse {
    package init(_ caller: Caller, of engine: Engine) {
        self.init(
            login: caller.login, group: caller.group, role: caller.roleName,
            digest: engine.rules.definition.digest, instance: engine.instance)
    }
}

extension FindQuery {
    package init(_ request: FindRequest) {
        self.init(
            filter: request.filter?.condition, filterText: request.filter?.text ?? "",
            sort: request.sort.map { SortKey($0.operand, descends: $0.descends) },
            fields: request.fields, limit: request.limit, cursor: request.cursor,
            counts: request.counts)
    }
}

extension ResolutionRule {
    package init(_ request: ResolutionRequest) {
        self.init(
            id: request.id, model: request.model, guids: request.guids,
            choice: Side(request.choose), fields: request.fields.mapValues(Side.init),
            cursor: request.cursor)
    }
}

extension ResolutionRule.Side {
    fileprivate init(_ side: ResolutionRequest.Side) {
        switch side {
        case .mine: self = .mine
        case .theirs: self = .theirs
        }
    }
}

extension HistoryMessage {
    package init(_ entry: HistoryView) {
        self.init(
            revision: entry.revision, kind: Kind(entry.kind), login: entry.login,
            deviceCategory: entry.deviceCategory, at: entry.at.milliseconds,
            before: entry.before, wanted: entry.wanted, owner: entry.owner, group: entry.group)
    }
}

extension HistoryMessage.Kind {
    fileprivate init(_ kind: HistoryEntry.Kind) {
        switch kind {
        case .created: self = .created
        case .updated: self = .updated
        case .deleted: self = .deleted
        case .resolved: self = .resolved
        case .conflicted: self = .conflicted
        case .discarded: self = .discarded
        case .reassigned: self = .reassigned
        // The author's name tells that it was a deployment.
        case .filled: self = .updated
        }
    }
}

extension UserMessage {
    package init(_ user: User) {
        self.init(login: user.login, group: user.group, mail: user.mail, admin: user.isAdmin)
    }
}

extension UploadMessage {
    package init(_ state: UploadState) {
        self.init(
            guid: state.guid, complete: state.isComplete, received: state.received,
            size: state.size)
    }
}

extension NotificationDraft {
    package init(_ request: NotificationRequest) {
        self.init(
            id: request.id, deviceCategory: request.deviceCategory, group: request.group,
            users: request.users, body: request.notification)
    }
}

extension NotificationMessage {
    package init(_ notification: NotificationView) {
        self.init(
            id: notification.id, at: notification.at.milliseconds, sender: notification.sender,
            notification: notification.body, login: notification.device?.login,
            deviceIdentifier: notification.device?.deviceIdentifier)
    }
}

extension PushTokensResponse {
    package init(_ page: PushTokenPage) {
        self.init(tokens: page.tokens.map(PushTokenMessage.init), cursor: page.cursor)
    }
}

extension PushTokenMessage {
    fileprivate init(_ reached: ReachedToken) {
        let token = reached.token
        self.init(
            login: token.device.login, deviceCategory: token.deviceCategory,
            deviceIdentifier: token.device.deviceIdentifier, type: token.type, token: token.text,
            at: token.at.milliseconds, reached: reached.isReached)
    }
}
