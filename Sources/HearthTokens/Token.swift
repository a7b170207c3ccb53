/// The number of a piece in a vocabulary, from 0.
public typealias Token = Int32
