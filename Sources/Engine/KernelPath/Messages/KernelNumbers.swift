/// Matches the type of a message or attribute with a name of the kernel's headers. Swift imports some of the names as
/// integers of other widths.
func ~= (name: some BinaryInteger, type: UInt16) -> Bool { name == type }

/// Matches the type of a message or attribute with a name of the kernel's headers that belongs to a C enumeration.
func ~= (name: some RawRepresentable<UInt32>, type: UInt16) -> Bool { name.rawValue == type }

/// Whether a type of a message or attribute has this name of a C enumeration.
func == (type: UInt16, name: some RawRepresentable<UInt32>) -> Bool { type == name.rawValue }
