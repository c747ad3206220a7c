package import ChangeRules

extension RecordMessage {
    package init(_ record: RecordView) {
        self.init(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, deleted: record.isDeleted,
            conflicted: record.isConflicted, fields: record.fields,
            conflicts: record.conflicts.map { $0.map(ConflictMessage.init) })
    }
}

extension ConflictMessage {
    package init(_ conflict: RecordConflict) {
        self.init(
            revision: conflict.revision, baseRevision: conflict.baseRevision,
            base: ConflictSide(conflict.base), mine: ConflictSide(conflict.mine),
            theirs: ConflictSide(conflict.theirs), related: conflict.isRelated ? true : nil,
            parallel: conflict.isParallel ? true : nil)
    }
}

extension ConflictSide {
    fileprivate init(_ side: RecordConflict.Side) {
        self.init(
            deleted: side.isDeleted, fields: side.fields, login: side.login,
            deviceCategory: side.deviceCategory, at: side.at)
    }
}

extension DroppedMessage {
    package init(_ key: RecordKey) { self.init(model: key.model, guid: key.guid) }
}
