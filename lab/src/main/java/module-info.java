/// Measures servers side by side: load generator, servers as plug-ins, statistics, reports.
module io.margay.lab {
    requires static org.jspecify;
    requires java.compiler;
    requires java.management;
    requires io.margay.protocol;
    requires HdrHistogram;
    requires info.picocli;

    exports io.margay.lab;

    opens io.margay.lab to
            info.picocli;
}
