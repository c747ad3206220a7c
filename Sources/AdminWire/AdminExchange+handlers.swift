import Administration

/// The work of the operations, by area. An operation without an entry is not served.
extension AdminExchange {
    static let handlers: [AdminOperation: Handler] =
        [
            operatorHandlers, environmentHandlers, userHandlers, recordHandlers,
            versionHandlers, fileHandlers, workbenchHandlers,
        ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    private static let operatorHandlers: [AdminOperation: Handler] = [
        .setUp: { try await $0.setUp() }, .signIn: { try await $0.signIn() },
        .showSession: { try await $0.showSession() }, .confirm: { try await $0.confirm() },
        .changeOwnPassword: { try await $0.changeOwnPassword() },
        .signOut: { try await $0.signOut() },
        .listOperators: { try await $0.listOperators() },
        .addOperator: { try await $0.addOperator() },
        .changeOperator: { try await $0.changeOperator() },
        .removeOperator: { try await $0.removeOperator() },
        .listTokens: { try await $0.listTokens() }, .addToken: { try await $0.addToken() },
        .revokeToken: { try await $0.revokeToken() },
        .listActivities: { try await $0.listActivities() },
        .showInterface: { _ in .json(adminInterface()) },
        .showMetrics: { try await $0.showMetrics() },
    ]

    private static let environmentHandlers: [AdminOperation: Handler] = [
        .listEnvironments: { try await $0.listEnvironments() },
        .showEnvironment: { try await $0.showEnvironment() },
        .lockEnvironment: { try await $0.lockEnvironment() },
        .renameEnvironment: { try await $0.renameEnvironment() },
        .removeEnvironment: { try await $0.removeEnvironment() },
        .listDeployments: { try await $0.listDeployments() },
        .deploy: { try await $0.deploy() }, .listClients: { try await $0.listClients() },
        .showRights: { try await $0.showRights() }, .explain: { try await $0.explainRight() },
        .showCounts: { try await $0.showCounts() },
        .countConflicts: { try await $0.countConflicts() },
        .showNativeInterface: { try await $0.showNativeInterface() },
        .followEvents: { try await $0.followEvents() },
    ]

    private static let userHandlers: [AdminOperation: Handler] = [
        .listUsers: { try await $0.listUsers() }, .addUser: { try await $0.addUser() },
        .changeUser: { try await $0.changeUser() }, .removeUser: { try await $0.removeUser() },
        .listSessions: { try await $0.listSessions() },
        .endSessions: { try await $0.endSessions() },
        .endSession: { try await $0.endSession() },
        .listDevices: { try await $0.listDevices() },
        .unlockUser: { try await $0.unlockUser() },
        .listPushTokens: { try await $0.listPushTokens() },
        .removePushToken: { try await $0.removePushToken() },
        .eraseUser: { try await $0.eraseUser() },
        .listErasures: { try await $0.listErasures() },
        .listInvitations: { try await $0.listInvitations() },
        .addInvitation: { try await $0.addInvitation() },
        .resetPassword: { try await $0.resetPassword() },
        .mailReset: { try await $0.mailReset() },
        .removeCode: { try await $0.removeCode() },
    ]

    private static let recordHandlers: [AdminOperation: Handler] = [
        .listRecords: { try await $0.listRecords() },
        .showRecord: { try await $0.showRecord() },
        .showHistory: { try await $0.showHistory() },
        .listConflicts: { try await $0.listConflicts() },
        .changeRecords: { try await $0.changeRecords() },
        .resolveConflicts: { try await $0.resolveConflicts() },
        .changeOwnership: { try await $0.changeOwnership() },
        .listRelations: { try await $0.listRelations() },
        .explainRecord: { try await $0.explainRecord() },
    ]

    private static let versionHandlers: [AdminOperation: Handler] = [
        .listVersions: { try await $0.listVersions() },
        .importVersion: { try await $0.importVersion() },
        .showVersion: { try await $0.showVersion() },
        .labelVersion: { try await $0.labelVersion() },
        .showSource: { try await $0.showSource() }, .check: working { try $0.checkDefinition() },
        .diff: { try await $0.diff() },
    ]

    private static let fileHandlers: [AdminOperation: Handler] = [
        .listFiles: { try await $0.listFiles() }, .showFile: { try await $0.showFile() },
        .listNotifications: { try await $0.listNotifications() },
        .sendNotification: { try await $0.sendNotification() },
        .exportRecords: { try await $0.exportRecords() },
        .exportUser: { try await $0.exportUser() },
        .importRecords: { try await $0.importRecords() },
    ]
}
