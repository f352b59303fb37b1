<%@ page contentType="text/html; charset=UTF-8" %><%@ taglib prefix="s" uri="/struts-tags" %>
ordered <s:property value="item"/> <s:property value="amount * 7"/> order <s:property value="#session.orders"/>
