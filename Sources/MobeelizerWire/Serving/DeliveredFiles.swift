import ChangeRules
import WholeRecordSync

/// The files of one delivery: those that the device does not have, as far as there is room.
struct DeliveredFiles {
    let transfer: Transfer
    private let limits: WireLimits
    /// The files that earlier deliveries owe; nil before they are known.
    private(set) var owed: [FileOnDevice]?
    private var due: [FileOnDevice] = []
    /// Files that the records no longer name.
    private(set) var leaving: [FileOnDevice] = []
    /// The guids of the files that come, in their order.
    private(set) var copied: [String] = []
    private var isCopied: Set<String> = []
    private var isAbsent: Set<String> = []
    private var asked: Set<String> = []
    private var rest: Int64
    private var isFull = false
    /// The records of owed files that are not among the delivered ones.
    private var lateRecords: Set<String> = []

    init(in transfer: Transfer, limits: WireLimits) {
        self.transfer = transfer
        self.limits = limits
        rest = limits.deliveredFileBytes
    }

    mutating func owe(_ files: [FileOnDevice]) {
        owed = files
        lateRecords = Set(files.map(\.record))
    }

    mutating func add(_ page: DeliveredPage) {
        due += page.files
        leaving += page.leavingFiles
        guard !lateRecords.isEmpty else { return }
        lateRecords.subtract(page.records.map(\.view.guid))
        lateRecords.subtract(page.dropped.map(\.guid))
    }

    /// Whether the file has not been asked for, and may be.
    mutating func isWanted(_ guid: String) -> Bool {
        guard !isFull, copied.count < limits.deliveredFiles,
            asked.count < 2 * limits.deliveredFiles
        else { return false }
        return asked.insert(guid).inserted
    }

    /// Notes that there are no contents.
    mutating func noteAbsent(_ guid: String) { isAbsent.insert(guid) }

    /// Returns whether there is room for a file. The first one always fits.
    mutating func takes(_ guid: String, of size: Int64) -> Bool {
        isFull = !copied.isEmpty && size > rest
        guard !isFull else { return false }
        rest -= size
        copied.append(guid)
        isCopied.insert(guid)
        return true
    }

    // MARK: - Contents

    var owedWithContents: [FileOnDevice] { (owed ?? []).filter { $0.ticket != "" } }

    var owedWithoutContents: [FileOnDevice] { (owed ?? []).filter { $0.ticket == "" } }

    /// The files of a page that do not come with it.
    func missing(of page: DeliveredPage) -> [FileOnDevice] {
        page.files.filter { !isCopied.contains($0.file) }
    }

    /// The records that were delivered before, without the files that come now.
    var recordsOfArrived: [String] {
        let arrived = (owed ?? []).filter { isCopied.contains($0.file) }
        return lateRecords.intersection(arrived.map(\.record)).sorted()
    }

    var sent: [FileOnDevice] { (due + (owed ?? [])).filter { isCopied.contains($0.file) } }

    /// The files without contents that are not noted as such.
    var absent: [FileOnDevice] {
        (due + owedWithContents).filter { isAbsent.contains($0.file) }
    }

    /// The files for which there is no room.
    var later: [FileOnDevice] {
        due.filter { !isCopied.contains($0.file) && !isAbsent.contains($0.file) }
    }
}
