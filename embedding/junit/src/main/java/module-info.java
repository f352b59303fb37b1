/// A server for each test class.
module io.margay.junit {
    requires static org.jspecify;
    requires transitive io.margay.embed;
    requires transitive org.junit.jupiter.api;

    exports io.margay.junit;
}
