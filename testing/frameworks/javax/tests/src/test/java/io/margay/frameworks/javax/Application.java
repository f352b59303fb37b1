package io.margay.frameworks.javax;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// The applications of frameworks in their versions for javax, and what a user does with each.
enum Application {
    STRUTS1(
            visitor -> {
                visitor.get("/struts1/order.jsp");
                visitor.form("/struts1/order.do", "item", "tea", "amount", "0");
                visitor.form("/struts1/order.do", "item", "tea", "amount", "3");
            },
            "An amount is needed",
            "ordered tea"),
    STRUTS2(
            visitor -> {
                visitor.form("/struts2/order.action", "item", "tea", "amount", "0");
                visitor.form("/struts2/order.action", "item", "tea", "amount", "3");
                visitor.form("/struts2/order.action", "item", "<b>", "amount", "4");
            },
            "An amount is needed",
            "ordered tea 21 order 1",
            "ordered &lt;b&gt; 28 order 2"),
    SPRING4(
            visitor -> {
                visitor.get("/spring4/order.htm");
                visitor.form("/spring4/order.htm", "item", "t\u00e9", "amount", "3");
                visitor.get("/spring4/last.htm");
                visitor.form("/spring4/order.htm", "item", "tea");
            },
            "ordered t\u00e9 for 21 in the shop",
            "-> 400"),
    SPRING5(
            visitor -> {
                visitor.post("/spring5/orders", "application/json", "{\"tea\":3}");
                visitor.get("/spring5/orders/tea");
                visitor.get("/spring5/orders/none");
                visitor.get("/spring5/later");
            },
            "-> 201",
            "no none at /spring5/orders/none",
            "later"),
    FACES(
            visitor -> {
                visitor.get("/faces/order.xhtml");
                for (String item : List.of("", "tea", "milk")) {
                    String state = visitor.found("ViewState:0\" value=\"([^\"]+)");
                    visitor.form(
                            "/faces/order.xhtml",
                            "f",
                            "f",
                            "f:item",
                            item,
                            "f:go",
                            "order",
                            "javax.faces.ViewState",
                            state);
                }
            },
            "An item is needed",
            "ordered milk for 14"),
    WICKET(
            visitor -> {
                visitor.get("/wicket/");
                visitor.get(visitor.found("href=\"([^\"]+)"));
                visitor.get(visitor.found("href=\"([^\"]+)"));
            },
            "count <span>2</span>"),
    JERSEY(
            visitor -> {
                visitor.form("/jersey/api/orders", "item", "tea");
                visitor.get("/jersey/api/orders/1");
                visitor.get("/jersey/api/orders/2");
            },
            "-> 201",
            "ordered tea",
            "-> 404"),
    CXF(
            visitor -> {
                visitor.get("/cxf/ws/orders?wsdl");
                visitor.post(
                        "/cxf/ws/orders",
                        "text/xml",
                        """
                        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">
                        <s:Body><o:order xmlns:o="urn:orders"><item>tea</item>
                        <amount>3</amount></o:order></s:Body></s:Envelope>
                        """);
                visitor.post("/cxf/ws/orders", "text/xml", "<none/>");
            },
            "<wsdl:service name=\"OrdersService\"",
            "<return>ordered tea for 21</return>",
            "-> 500"),
    GWT(
            visitor -> {
                String module = visitor.base() + "/gwt/module/";
                String call =
                        "7|0|6|"
                                + module
                                + "|0123456789ABCDEF0123456789ABCDEF|old.Greet|greet"
                                + "|java.lang.String/2004016611|ann|1|2|3|4|1|5|6|";
                for (int i = 0; i < 2; i++) {
                    visitor.post(
                            module + "greet",
                            "text/x-gwt-rpc; charset=utf-8",
                            call,
                            "X-GWT-Module-Base",
                            module,
                            "X-GWT-Permutation",
                            "any");
                }
            },
            "//OK[1,[\"hello ann, time 2\"],0,7]"),
    STRIPES(
            visitor -> {
                visitor.get("/stripes/order.jsp");
                String page = visitor.found("name=\"_sourcePage\" value=\"([^\"]+)");
                for (String amount : List.of("0", "3")) {
                    visitor.form(
                            "/stripes/order.action",
                            "item",
                            "tea",
                            "amount",
                            amount,
                            "order",
                            "order",
                            "_sourcePage",
                            page);
                }
            },
            "ordered tea for 21"),
    BOOT(
            visitor -> {
                visitor.form("/boot/order", "item", "tea");
                visitor.get("/boot/last");
                visitor.get("/boot/fail");
                visitor.get("/boot/none");
            },
            "last tea",
            "-> 500",
            "-> 404"),
    VAADIN(
            visitor -> {
                visitor.get("/vaadin/");
                visitor.form(
                        "/vaadin/?v-browserDetails=1&v-sh=100&v-sw=100",
                        "v-loc",
                        visitor.base() + "/vaadin/");
                String key = visitor.found("Security-Key[\\\\\":]+([0-9a-f-]+)");
                String button = visitor.found("\\\\\"(\\d+)\\\\\":\\{[^{}]*count 0");
                visitor.post(
                        "/vaadin/UIDL/?v-uiId=0",
                        "application/json; charset=UTF-8",
                        "{\"csrfToken\":\""
                                + key
                                + "\",\"rpc\":[[\""
                                + button
                                + "\","
                                + "\"com.vaadin.shared.ui.button.ButtonServerRpc\",\"click\","
                                + "[{\"altKey\":false,\"button\":\"LEFT\",\"clientX\":1,"
                                + "\"clientY\":1,\"ctrlKey\":false,\"metaKey\":false,"
                                + "\"relativeX\":1,\"relativeY\":1,\"shiftKey\":false,"
                                + "\"type\":1}]]],\"syncId\":0,\"clientId\":0}");
            },
            "count 1");

    /// What a user does.
    @FunctionalInterface
    interface Script {
        void play(Visitor visitor) throws IOException;
    }

    private final Script script;
    private final List<String> expected;

    /// @param expected in what is answered
    Application(Script script, String... expected) {
        this.script = script;
        this.expected = List.of(expected);
    }

    /// The script; it asks for `/name/…`.
    Script script() {
        return script;
    }

    List<String> expected() {
        return expected;
    }

    String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /// The unpacked application, as the build leaves it.
    Path folder() {
        return Path.of(System.getProperty("margay.javax"))
                .toAbsolutePath()
                .normalize()
                .resolve(name().toLowerCase(Locale.ROOT))
                .resolve("target/webapp");
    }
}
