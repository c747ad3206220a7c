/// The length of a guid, as text.
let freshGuidBytes = 36

/// Random guids as text, in a sequence without separators.
struct FreshGuids {
    private var random = SplitMix()

    mutating func write(_ count: Int, to target: inout [UInt8]) {
        target.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            var bits = random.next()
            for place in 0..<freshGuidBytes {
                switch place {
                case 8, 13, 18, 23: target.append(UInt8(ascii: "-"))
                case 14: target.append(UInt8(ascii: "4"))
                case 19: target.append(UInt8(ascii: "8"))
                case _:
                    if place == 20 { bits = random.next() }
                    target.append(Self.digits[Int(bits & 15)])
                    bits >>= 4
                }
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// Fast, and unlikely to generate a guid twice. Without a seed, starts at a random state.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64? = nil) {
        state = seed ?? UInt64.random(in: .min ... .max)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
