/// The parts that all copies of an engine share; see the properties of `Engine`.
final class EngineParts: Sendable {
    let rules: Rules
    let limits: Limits
    let environment: EnvironmentID
    let deployment: Int64
    let instance: String
    let epochs: EpochChain
    let formerRules: [Rules]
    let seal: CursorSeal
    let store: any Store
    let outcomeGauges: OutcomeGauges
    let clashMeter: ClashMeter
    let historyGauge: HistoryGauge
    let historyReaders: HistoryReaders
    let observer: (any EngineObserver)?
    let naming: RecordNaming?

    init(
        rules: Rules, formerRules: [Rules], environment: EnvironmentState, store: any Store,
        seal: CursorSeal, naming: RecordNaming?, limits: Limits
    ) {
        self.rules = rules
        self.formerRules = formerRules
        self.environment = environment.id
        instance = environment.instance
        epochs = environment.epochs
        deployment = environment.deployment
        self.store = store
        observer = store.commits.observer
        self.seal = seal
        self.limits = limits
        self.naming = naming
        outcomeGauges = OutcomeGauges(limits)
        historyGauge = HistoryGauge(step: limits.historyStepBytes)
        historyReaders = HistoryReaders(
            turns: limits.historyReaders, maxWaiting: limits.waitingHistoryReaders)
        clashMeter = ClashMeter(
            free: limits.freeHiddenClashes, perHour: limits.hiddenClashesPerHour)
    }
}
