/// Returns the number of records to read next, for an answer that is to have `wanted` records and
/// has `found` of the `scanned` ones. Pages grow with the number of records that are not shown:
/// many more may follow, and each page is a query of its own. So at most as many records are read
/// in vain as were passed over.
func nextPageLimit(wanted: Int, found: Int, scanned: Int) -> Int {
    max(wanted - found, min(scanned - found, 1000))
}
