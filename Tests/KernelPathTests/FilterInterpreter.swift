import KernelPath

/// Runs classic BPF as the kernel does on the bytes of a netlink message: `net/core/filter.c`.
struct FilterInterpreter {
  /// Operations that the kernel refuses to load, or whose result is undefined.
  enum Mistake: Error, Equatable {
    case unknownOperation(UInt16)
    case undefinedShift(UInt32)
    case outsideMemory(UInt32)
    case outsideProgram(Int)
  }

  /// `BPF_MEMWORDS`.
  static let memoryWords = 16
  /// `BPF_MAXINSNS`.
  static let greatestLength = 4_096

  let program: [CoverFilter.Instruction]

  /// Whether the message passes.
  func passes(_ message: [UInt8]) throws(Mistake) -> Bool {
    typealias Operation = CoverFilter.Operation
    var (accumulator, index) = (UInt32(0), UInt32(0))
    var memory = [UInt32](repeating: 0, count: Self.memoryWords)
    var counter = 0
    while true {
      guard program.indices.contains(counter) else { throw .outsideProgram(counter) }
      let instruction = program[counter]
      let operand = instruction.operand
      counter += 1
      switch instruction.code {
      case Operation.loadWord where operand == CoverFilter.findAttribute:
        accumulator = Self.findAttribute(index, from: accumulator, in: message)
      case Operation.loadByte, Operation.loadHalf, Operation.loadWord, Operation.loadWordAtIndex:
        let size = [Operation.loadByte: 1, Operation.loadHalf: 2][instruction.code] ?? 4
        let offset = Int(operand) + (instruction.code == Operation.loadWordAtIndex ? Int(index) : 0)
        // A load outside of the message ends the program, and drops.
        guard offset + size <= message.count else { return false }
        accumulator = message[offset..<offset + size].reduce(0) { $0 << 8 | UInt32($1) }
      case Operation.loadConstant: accumulator = operand
      case Operation.loadIndexConstant: index = operand
      case Operation.loadMemory: accumulator = try Self.word(operand, of: memory)
      case Operation.loadIndexMemory: index = try Self.word(operand, of: memory)
      case Operation.store:
        _ = try Self.word(operand, of: memory)
        memory[Int(operand)] = accumulator
      case Operation.copyToIndex: index = accumulator
      case Operation.add: accumulator &+= operand
      case Operation.subtractIndex: accumulator &-= index
      case Operation.exclusiveOr: accumulator ^= operand
      case Operation.shiftRightByIndex:
        guard index < 32 else { throw .undefinedShift(index) }
        accumulator >>= index
      case Operation.jumpIfEqual: counter += Int(accumulator == operand ? instruction.ifTrue : instruction.ifFalse)
      case Operation.jumpIfAtLeast: counter += Int(accumulator >= operand ? instruction.ifTrue : instruction.ifFalse)
      case Operation.jump: counter += Int(operand)
      case Operation.return: return operand != 0
      default: throw .unknownOperation(instruction.code)
      }
    }
  }

  private static func word(_ number: UInt32, of memory: [UInt32]) throws(Mistake) -> UInt32 {
    guard number < memory.count else { throw .outsideMemory(number) }
    return memory[Int(number)]
  }

  /// `SKF_AD_NLATTR`: the position of the attribute of the type, from the offset on; 0 if there is none.
  private static func findAttribute(_ type: UInt32, from start: UInt32, in message: [UInt8]) -> UInt32 {
    guard message.count >= 4, Int(start) <= message.count - 4 else { return 0 }
    var offset = Int(start)
    while message.count - offset >= 4 {
      let length = Int(message[offset]) | Int(message[offset + 1]) << 8
      guard length >= 4, length <= message.count - offset else { return 0 }
      let found = UInt32(message[offset + 2]) | UInt32(message[offset + 3] & 0x3f) << 8
      if found == type { return UInt32(offset) }
      offset += (length + 3) & ~3
    }
    return 0
  }
}
