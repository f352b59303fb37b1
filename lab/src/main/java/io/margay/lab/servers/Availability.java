package io.margay.lab.servers;

/// Whether a server can run on this machine. Immutable.
///
/// @param ready whether it can, perhaps after something has been fetched
/// @param words what will be fetched, or what must be installed; empty if all is there
public record Availability(boolean ready, String words) {
    public static final Availability HERE = new Availability(true, "");

    static Availability fetched(String what) {
        return new Availability(true, what);
    }

    public static Availability missing(String remedy) {
        return new Availability(false, remedy);
    }
}
