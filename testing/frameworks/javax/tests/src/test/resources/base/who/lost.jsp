<%@ page isErrorPage="true" contentType="text/plain" %>lost <%= request.getAttribute("javax.servlet.error.request_uri") %>
