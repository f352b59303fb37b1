/// Measures servers side by side: load generator, servers as plug-ins, statistics, reports.
module io.margay.lab {
    requires static io.soabase.recordbuilder.core;
    requires static org.jspecify;
    requires java.compiler;
    requires java.management;
    requires jdk.jfr;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.jr.ob;
    requires io.margay.protocol;
    requires HdrHistogram;
    requires info.picocli;

    exports io.margay.lab;

    opens io.margay.lab to
            info.picocli;
}
