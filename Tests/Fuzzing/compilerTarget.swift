import DefinitionCompiler
import DefinitionModel
import TestKit

/// The entry point of libFuzzer, called with one document after another.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let broken = brokenInvariants(of: SourceFile(name: "application.xml", bytes: bytes))
    guard broken.isEmpty else { fatalError(broken.joined(separator: "\n")) }
    return 0
}
