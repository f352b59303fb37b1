<%@ page isErrorPage="true" %>lost <%= request.getAttribute("jakarta.servlet.error.request_uri") %>
