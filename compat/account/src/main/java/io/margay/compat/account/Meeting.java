package io.margay.compat.account;

import java.util.List;
import java.util.Set;

/// Which lines of another server's files a request meets there: those of the sections that it falls
/// into, and those that name its path. Conditions on anything but host and path, such as `if`, are
/// taken to hold. Confined to one thread.
public interface Meeting {
    /// The lines that a request meets.
    ///
    /// @param host in lower case, without its port; empty = not known
    /// @param path decoded or not, without the query
    Set<Place> of(String host, String path);

    /// The same, of the servers for one port alone; of all where none is for it.
    default Meeting at(int port) {
        return this;
    }

    /// Whether requests can meet a line at all; others are about the server as a whole.
    boolean isOfRequests(Place place);

    /// A host and a path that fall into each section, as far as that can be told, for requests that
    /// are made up.
    List<Example> examples();

    /// What is asked for.
    ///
    /// @param host empty = any
    record Example(String host, String path) {}
}
