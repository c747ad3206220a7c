extension AdminRoute {
    /// The statuses with which the route may refuse a request, as its document names them. Any
    /// route may be asked by strangers, and at a host that is not the administration's.
    package var refusals: Set<RefusalStatus> {
        let conditions: [(status: RefusalStatus, isPossible: Bool)] = [
            (.notFound, namesWhatMayBeMissing), (.conflict, mayConflict),
            (.preconditionFailed, operation == .writeDraft),
            (.contentTooLarge, body != nil || operation == .importRecords),
            (.unsupportedMediaType, body != nil || answer == .bytes),
            (.rangeNotSatisfiable, answer == .bytes),
            (.unprocessableContent, Self.examining.contains(operation)),
            (.tooManyRequests, answer == .events || Self.counted.contains(operation)),
        ]
        return conditions.filter(\.isPossible).reduce(
            into: RefusalStatus.ofEveryRoute.union([.unauthorized, .forbidden])
        ) { $0.insert($1.status) }
    }

    /// The path or the body names what may not exist, the operator may have been removed meanwhile,
    /// or metrics may be off.
    private var namesWhatMayBeMissing: Bool {
        !parameters.isEmpty || [.diff, .changeOwnPassword, .showMetrics].contains(operation)
    }

    /// This version of Waggle may not take the stored definition of an environment or a version.
    private var mayConflict: Bool {
        parameters.contains("environment") && !Self.served.contains(operation)
            || Self.conflicting.contains(operation)
    }

    /// Operations in a served environment, whose definition was taken when it was loaded, and
    /// that nothing else contradicts.
    private static let served: Set<AdminOperation> = [
        .listRecords, .showRecord, .showHistory, .listConflicts, .changeOwnership, .listRelations,
        .explainRecord, .showCounts, .countConflicts, .listPushTokens, .eraseUser, .showFile,
        .exportRecords, .followEvents,
    ]

    /// Operations outside of one environment that something may contradict.
    private static let conflicting: Set<AdminOperation> = [
        .listEnvironments, .addOperator, .changeOperator, .removeOperator, .addToken,
        .importVersion, .labelVersion, .diff, .edit, .writeDraft, .removeDraft, .simulate,
    ]

    /// Operations that compile the definition of the request, unless its faults are the answer,
    /// those that search records, and the one that reads the header of a file.
    private static let examining: Set<AdminOperation> = [
        .deploy, .importVersion, .diff, .edit, .showSentRights, .explainSentRight, .drawDiagram,
        .generateModels, .makePackage, .simulate, .listRecords, .listRelations,
        .importRecords,
    ]

    /// Operations whose rate is limited for each caller.
    private static let counted: Set<AdminOperation> = [
        .signIn, .confirm, .changeOwnPassword, .sendNotification,
    ]
}
