@_exported import Connectivity
