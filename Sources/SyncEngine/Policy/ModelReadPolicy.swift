package import AccessPolicy

/// The view that an asker has of the records of one model. It is looked up once for many of them.
package struct ModelReadPolicy: Sendable {
    private let policy: ReadPolicy
    private let shown: ShownModel?
    private let asker: Asker

    fileprivate init(policy: ReadPolicy, shown: ShownModel?, asker: Asker) {
        self.policy = policy
        self.shown = shown
        self.asker = asker
    }

    /// Whether all records of the model are fully visible.
    package var seesEverything: Bool { policy.seesEverything }

    package func view(of ownership: Ownership) -> FieldVisibility {
        policy.view(of: ownership, for: asker)
    }

    /// The visible fields; nil if the asker may not even know that the record exists.
    package func fields(of ownership: Ownership) -> FieldSelection? {
        shown?.fields(of: ownership, for: asker)
    }
}

extension ReadFilter {
    package func readPolicy(of model: String) -> ModelReadPolicy {
        ModelReadPolicy(
            policy: rules.policy.readPolicy(of: model, for: asker.role),
            shown: shown?.models[model], asker: asker)
    }
}
