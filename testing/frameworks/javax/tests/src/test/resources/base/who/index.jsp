<%@ page contentType="text/plain;charset=UTF-8" import="javax.servlet.http.*" %>
scheme <%= request.getScheme() %> secure <%= request.isSecure() %>
host <%= request.getServerName() %> context <%= request.getContextPath() %>
address <%= request.getRemoteAddr() %>
shop <%= application.getInitParameter("shop") %>
query <%= request.getParameter("q") %>
